import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson, Input } from '@waymark/core';
import { IWorkflowDefinitionPublisher, IWorkflowRuntime, WorkflowEvent, WorkflowPersistence } from '@waymark/nestjs';
import { WorkflowEventEmitter } from '@waymark/runtime/adapter';
import { type TestBackend, testBackends } from '../support/backends.js';
import { canary } from './canaries.js';
import { hostSecrets } from './kept-canaries.js';
import { canariesIn, World } from './world.js';

const script = (value: string, typeName = 'Object') => ({ typeName, expression: { type: 'JavaScript', value } });
const literal = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const secret = (name: string) => script(`'x-' + secret('now-${name}')`, 'String');

/** Writes what it is given wherever an activity may write. */
@Injectable()
@Activity({ type: 'Test.Writer' })
export class Writer extends ActivityBase {
  @Input() word: string;

  execute(ctx: ActivityExecutionContext): void {
    const { word } = this;
    ctx.properties.mine = { [word]: word };
    ctx.workflow.properties.own = [word];
    ctx.metadata[word] = word;
    ctx.journalData[word] = word;
    ctx.log(word, `log ${word}`, { [word]: word });
    ctx.createBookmark({ name: `Writer`, stimulus: { word }, callback: this.onResumed, metadata: { word } });
    ctx.workflow.defer(() => {
      throw new Error(`deferred ${word}`);
    });
  }

  onResumed(ctx: ActivityExecutionContext): unknown {
    return ctx.complete();
  }
}

/** A secret by name stands in everything that a workflow can say. */
const root: ActivityJson = {
  type: 'Elsa.Sequence',
  id: 'Root',
  activities: [
    { type: 'Elsa.Correlate', id: 'Correlate', correlationId: secret('correlation') },
    { type: 'Elsa.SetName', id: 'Name', value: secret('name') },
    { type: 'Elsa.WriteLine', id: 'Line', text: secret('line') },
    { type: 'Elsa.SetOutput', id: 'Output', outputName: literal('out'), outputValue: secret('output') },
    {
      type: 'Elsa.PublishEvent',
      id: 'Publish',
      eventName: secret('event'),
      correlationId: secret('eventcorrelation'),
      payload: script(`({ [secret('now-member')]: secret('now-payload') })`),
    },
    {
      type: 'Elsa.DispatchWorkflow',
      id: 'Child',
      workflowDefinitionId: literal('exits-child'),
      correlationId: secret('childcorrelation'),
      input: script(`({ key: secret('now-childinput') })`),
      waitForCompletion: literal(false, 'Boolean'),
    },
    { type: 'Test.Writer', id: 'Writer', word: secret('word') },
    { type: 'Elsa.Fault', id: 'Fault', message: secret('fault') },
  ],
};
const events: ActivityJson = {
  type: 'Elsa.Sequence',
  id: 'Root',
  activities: [
    { type: 'Elsa.RunTask', id: 'Task', taskName: secret('task'), payload: script(`({ k: secret('now-taskload') })`) },
  ],
};
const failing = {
  type: 'Elsa.Sequence',
  id: 'Root',
  activities: [{ type: 'Elsa.Fault', id: 'Fault', message: secret('fault'), code: secret('code') }],
};

const { available } = await testBackends('sqlite');

describe.each(available)('secrets by name in what a workflow says, on $name', (backend: TestBackend) => {
  let world: World;
  const emitted: unknown[] = [];

  beforeAll(async () => {
    world = await World.start(backend, { secrets: hostSecrets }, [Writer]);
    const emitter = world.app.get(WorkflowEventEmitter);
    for (const event of Object.values(WorkflowEvent)) emitter.listen(event, (payload) => emitted.push(payload));
  });
  afterAll(async () => {
    await world.close();
    await backend.drop();
  });

  async function run(definitionId: string, definition: ActivityJson, on = world) {
    const publisher = on.app.get(IWorkflowDefinitionPublisher);
    const child = { type: 'Elsa.Event', id: 'Wait', eventName: literal('never') };
    for (const [id, of] of [['exits-child', child] as const, [definitionId, definition] as const]) {
      const { problems } = await publisher.saveAndPublish({ definitionId: id, name: id, root: of });
      expect(problems).toEqual([]);
    }
    const client = await on.app.get(IWorkflowRuntime).createClient();
    const result = await client.createAndRunInstance({ definition: definitionId });
    await on.settled();
    return result;
  }

  it.each([
    ['everything', 'all', root],
    ['a task', 'task', events],
    ['a fault', 'fault', failing],
  ])(
    'secrets by name in what a workflow says reach neither rows nor logs nor answers nor events nor results: %s',
    async (_what, id, definition) => {
      emitted.length = 0;
      const result = await run(id, definition);
      const { items } = await world.app.get(WorkflowPersistence).instances.findMany({ definitionIds: [id] });
      expect(items).toHaveLength(1);
      const all = {
        stored: canariesIn(await world.stored()),
        answers: canariesIn(await world.apiAnswers()),
        log: canariesIn(world.logger.lines.join('\n')),
        emitted: canariesIn(JSON.stringify(emitted)),
        result: canariesIn(JSON.stringify([result, result.state])),
      };
      expect(emitted).not.toEqual([]);
      expect(all).toEqual({ stored: [], answers: [], log: [], emitted: [], result: [] });
      expect(await world.stored()).toContain('x-(redacted)');
    },
  );

  it('secrets by name in what a workflow says are found by this search where redaction is off', async () => {
    const { available } = await testBackends('sqlite');
    const plain = await World.start(available[0]!, { secrets: hostSecrets, redaction: false }, [Writer]);
    await run('plain', root, plain);
    const stored = await plain.stored();
    const names = ['correlation', 'name', 'output', 'word'];
    expect(names.filter((name) => !stored.includes(canary(`now${name}`)))).toEqual([]);
    await plain.close();
    await available[0]!.drop();
  });
});
