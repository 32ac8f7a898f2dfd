import { event, get, seq, setVar, variable, workflow, W } from './testing/build-definition.js';
import { WorkflowTest } from './testing/run-workflow.js';

const STORED = [true, false];

/** Sets the variable to null, waits, and writes what it is then. */
const emptied = (v = variable('V', 'String', 'first')) =>
  workflow(seq('S', [setVar('set', 'V', null), event('wait'), W('shown', get('V'))]), { variables: [v] });

describe('a variable that has a default and is set to null', () => {
  it.each(STORED)('is still null after a wait (stored in between: %s)', async (isStored) => {
    const run = await new WorkflowTest({ isStored }).start(emptied());
    await run.trigger('wait');
    expect(run.lines).toEqual(['']);
  });

  it.each(STORED)(
    'a variable of an inner container is still null after a wait (stored in between: %s)',
    async (isStored) => {
      const inner = seq(
        'Inner',
        [setVar('set', 'V', null), event('wait'), W('shown', get('V'))],
        [variable('V', 'String', 'inner')],
      );
      const run = await new WorkflowTest({ isStored }).start(workflow(seq('S', [inner])));
      await run.trigger('wait');
      expect(run.lines).toEqual(['']);
    },
  );

  it('is stored as null; null is left out where it is the default', async () => {
    const variables = [variable('V', 'String', 'first'), variable('Without', 'String')];
    const run = await new WorkflowTest().start(
      workflow(seq('S', [setVar('set', 'V', null), event('wait')]), { variables }),
    );
    const root = run.state.activityExecutionContexts.find((c) => c.parentContextId === undefined)!;
    expect(root.properties.Variables).toEqual({ [variables[0]!.id]: null });
  });

  it('has its default again when it is not stored with the instance', async () => {
    const lost = { ...variable('V', 'String', 'first'), storageDriverTypeName: 'MemoryStorageDriver' };
    const run = await new WorkflowTest().start(emptied(lost));
    await run.trigger('wait');
    expect(run.lines).toEqual(['first']);
  });
});
