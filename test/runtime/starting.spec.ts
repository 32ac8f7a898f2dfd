import { afterAll, expect, it } from '@jest/globals';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import {
  IEventPublisher,
  IWorkflowCancellationService,
  IWorkflowRuntime,
  IWorkflowStarter,
  WorkflowPersistence,
} from '@waymark/runtime';
import { InstanceRetries } from '@waymark/runtime/adapter';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const correlate = (id: string, correlationId: string) => ({
  id,
  type: 'Elsa.Correlate',
  correlationId: { typeName: 'String', expression: { type: 'Literal', value: correlationId } },
});
@Activity({ type: 'Test.FailsFirstly' })
class FailsFirst extends ActivityBase {
  static runs = 0;
  /** What happens meanwhile. */
  static meanwhile: (() => Promise<unknown>) | undefined;

  async execute(ctx: ActivityExecutionContext): Promise<unknown> {
    FailsFirst.runs++;
    if (ctx.attempt === 1) throw new Error('the first time');
    await FailsFirst.meanwhile?.();
    return ctx.complete();
  }
}
const STARTS = 30;
const options = (name: string) => ({
  options: {
    activationStrategyType: `Elsa.Workflows.Runtime.ActivationValidators.${name}Strategy, Elsa.Workflows.Runtime`,
  },
});

describeOn(await testBackends(), 'starting on $name', (backend) => {
  afterAll(() => backend.drop());

  it.each([
    ['Singleton', undefined, 1],
    ['CorrelatedSingleton', 'one', 1],
    ['Correlation', 'another', 1],
  ])('%s holds under concurrent starts on two nodes', async (strategy, correlationId, allowed) => {
    const nodes = [await startNode(await backend.create()), await startNode(await backend.create())];
    try {
      const definition = `only-one-${strategy}`;
      await nodes[0]!.deploy(definition, sequence('S', waitFor('E', 'never')), options(strategy));
      const answers = await Promise.all(
        Array.from({ length: STARTS }, (_, i) =>
          nodes[i % 2]!.get(IWorkflowStarter).start({ definition, correlationId }),
        ),
      );
      expect(answers.filter((a) => !a.cannotStart)).toHaveLength(allowed);
      expect(await nodes[0]!.get(WorkflowPersistence).instances.count({ definitionIds: [definition] })).toBe(allowed);
      const started = answers.find((a) => a.result)!.result!;
      await (await nodes[1]!.get(IWorkflowRuntime).createClient(started.workflowInstanceId)).cancel();
      expect((await nodes[0]!.get(IWorkflowStarter).start({ definition, correlationId })).cannotStart).toBe(false);
    } finally {
      for (const node of nodes) await node.close();
    }
  });

  it.each([
    ['CorrelatedSingleton', 'in its first burst', sequence('S', correlate('C', 'new'), waitFor('E', 'never'))],
    ['Correlation', 'in its first burst', sequence('S', correlate('C', 'new'), waitFor('E', 'never'))],
    ['Correlation', 'later', sequence('S', waitFor('E', 'go'), correlate('C', 'new'), waitFor('F', 'never'))],
  ])('%s: an instance that has another correlation id %s does not keep the old one', async (strategy, when, root) => {
    const node = await startNode(await backend.create());
    try {
      const definition = `correlated-${strategy}-${when.replaceAll(' ', '-')}`;
      await node.deploy(definition, root, options(strategy));
      const start = async (correlationId: string) =>
        (await node.get(IWorkflowStarter).start({ definition, correlationId })).cannotStart;
      const [old, changed] = [`old of ${definition}`, 'new'];
      expect(await start(old)).toBe(false);
      if (when === 'later') {
        expect(await start(old)).toBe(true);
        await node.get(IEventPublisher).publish('go');
      }
      expect([await start(changed), await start(old)]).toEqual([true, false]);
      await node.get(IWorkflowCancellationService).cancelByFilter({ definitionIds: [definition] });
    } finally {
      await node.close();
    }
  });

  it.each([
    ['Singleton', undefined],
    ['CorrelatedSingleton', 'the same order'],
    ['Correlation', 'the same order of anything'],
  ])('%s holds when a failed instance is retried', async (strategy, correlationId) => {
    const nodes: RuntimeNode[] = [];
    for (let n = 0; n < 2; n++) nodes.push(await startNode(await backend.create(), { providers: [FailsFirst] }));
    const [node, other] = nodes as [RuntimeNode, RuntimeNode];
    try {
      const definition = `only-one-retried-${strategy}`;
      const steps = sequence('S', { type: 'Test.FailsFirstly', id: 'F' }, waitFor('E', 'never'));
      await node.deploy(definition, steps, options(strategy));
      const start = async (by = node) => (await by.get(IWorkflowStarter).start({ definition, correlationId })).result!;
      const { workflowInstanceId: first } = await start();
      const { workflowInstanceId: second } = await start();
      // Its key is there while the activity runs, before which another node has asked for nothing.
      FailsFirst.meanwhile = async () => {
        FailsFirst.meanwhile = undefined;
        const { cannotStart } = await other.get(IWorkflowStarter).start({ definition, correlationId });
        expect(cannotStart).toBe(true);
      };
      expect(await node.get(InstanceRetries).retry(first)).toMatchObject({ isSuccessful: true });
      const runs = FailsFirst.runs;
      const { log, isSuccessful } = await other.get(InstanceRetries).retry(second);
      expect([isSuccessful, log.logEntries.map(({ message }) => message)]).toEqual([
        false,
        [expect.stringMatching(`^WM7005: Workflow instance "${second}" .*"${first}" runs`)],
      ]);
      // Refused before anything of it has run.
      expect(FailsFirst.runs).toBe(runs);
      await node.get(IWorkflowCancellationService).cancel(first);
      expect(await other.get(InstanceRetries).retry(second)).toMatchObject({ isSuccessful: true });
      await node.get(IWorkflowCancellationService).cancel(second);
      const [left, right] = [await start(), await start()];
      const both = await Promise.all([
        node.get(InstanceRetries).retry(left.workflowInstanceId),
        other.get(InstanceRetries).retry(right.workflowInstanceId),
      ]);
      expect(both.filter(({ isSuccessful: isRetried }) => isRetried)).toHaveLength(1);
      await node.get(IWorkflowCancellationService).cancelByFilter({ definitionIds: [definition] });
    } finally {
      for (const each of nodes) await each.close();
    }
  });

  it('starts once per request key, and never over an existing instance', async () => {
    const node = await startNode(await backend.create());
    try {
      await node.deploy('keyed', sequence('S', waitFor('E', 'never')));
      const runtime = node.get(IWorkflowRuntime);
      const start = async () =>
        (await runtime.createClient()).createAndRunInstance({ definition: 'keyed', requestKey: 'k1' });
      const results = await Promise.allSettled(Array.from({ length: 10 }, start));
      expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
      for (const r of results) if (r.status === 'rejected') expect(r.reason).toMatchObject({ code: 'WM7007' });
      const mine = await runtime.createClient('mine');
      await mine.createInstance({ definition: 'keyed' });
      await expect(mine.createAndRunInstance({ definition: 'keyed' })).rejects.toMatchObject({ code: 'WM3002' });
      expect((await mine.runInstance()).subStatus).toBe('Suspended');
    } finally {
      await node.close();
    }
  });
});
