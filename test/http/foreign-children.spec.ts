import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { ActivityJson } from '@waymark/core';
import { MemoryPersistence, WorkflowPersistence } from '@waymark/runtime';
import { OutboxProcessor } from '@waymark/runtime/adapter';
import { literal } from '../support/runtime-node.js';
import { endpoint, type HttpNode, methods, respond, startHttpNode } from './http-node.js';

const script = (value: string) => ({ typeName: 'Object', expression: { type: 'JavaScript', value } });
const SCORE = { typeName: 'Object', memoryReference: { id: 'Score' } };
const setOutput = (value: object): ActivityJson => ({
  type: 'Elsa.SetOutput',
  id: 'Put',
  outputName: literal('approved'),
  outputValue: value,
});
/** As anyone can compute it who knows the definition. */
const childIdOf = (parent: string, place: number): string =>
  createHash('sha256')
    .update(`${parent}/Check/${place.toString(36)}/0`)
    .digest('hex')
    .slice(0, 24);

describe.each(['Elsa.ExecuteWorkflow', 'Elsa.DispatchWorkflow'])('a child of %s', (type) => {
  let node: HttpNode;
  beforeAll(async () => {
    node = await startHttpNode(new FastifyAdapter(), new MemoryPersistence());
    const outputs = [{ name: 'approved', type: 'Object' }];
    await node.publish('check', [setOutput(script('"by the check"'))], { outputs });
    const parsedContent = { typeName: 'Object', memoryReference: { id: 'Score' } };
    const variables = [{ id: 'Score', name: 'Score', typeName: 'Object', isArray: false }];
    const echo = endpoint('echo', { ...methods('POST'), parsedContent });
    await node.publish('echo', [echo, setOutput(script('variables.Score'))], { outputs, variables });
    const check = {
      type,
      id: 'Check',
      workflowDefinitionId: literal('check'),
      waitForCompletion: literal(true, 'Boolean'),
      result: SCORE,
    };
    const keep = { ...setOutput(script('JSON.stringify(variables.Score ?? null)')), id: 'Keep' };
    await node.publish('order', [endpoint('order'), respond('taken'), check, keep], { outputs, variables });
  });
  afterAll(() => node.app.close());

  it('is not replaced by an instance that a stranger has started under its id', async () => {
    // Where in the burst the child begins: every place that it may have.
    for (let place = 0; place < 12; place++)
      await node.call('POST', `echo?workflowInstanceId=${childIdOf('evil', place)}`, {
        body: '"by a stranger"',
        headers: { 'content-type': 'application/json' },
      });
    await node.call('GET', 'order?workflowInstanceId=evil');
    const outbox = node.get(OutboxProcessor);
    do await outbox.settled();
    while ((await outbox.poll()) > 0);
    const { instances } = node.get(WorkflowPersistence);
    const { state } = (await instances.load('evil'))!;
    expect(JSON.stringify(state.output)).not.toContain('stranger');
    // As with each child that cannot be started: the one faults, the other tells its parent of a child without an output.
    expect(state.subStatus).toBe(type === 'Elsa.ExecuteWorkflow' ? 'Faulted' : 'Finished');
    if (type === 'Elsa.DispatchWorkflow') expect(state.output).toEqual({ approved: '{}' });
  });
});
