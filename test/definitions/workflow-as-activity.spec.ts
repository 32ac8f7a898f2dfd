import { describe, expect, it } from '@jest/globals';
import { normalizeActivity } from '@waymark/core/adapter';
import { IWorkflowDefinitionPublisher, WorkflowEngine } from '@waymark/runtime';
import {
  type Activity,
  type Model,
  W,
  act,
  chain,
  complete,
  event,
  fault,
  flow,
  forEach,
  inputDef,
  js,
  list,
  lit,
  out,
  outputDef,
  parallel,
  runJs,
  seq,
  setOutput,
  subWorkflow,
  variable,
  workflow,
} from '../conformance/lib/build.mjs';
import { uniqueId, useApplication } from '../support/use-application.js';

const test = useApplication();
let count = 0;
/** A definition that is usable as an activity. */
const child = (root: Activity, members: Record<string, unknown> = {}) => {
  const name = `Child${++count}`;
  return workflow(name.toLowerCase(), root, {
    name,
    options: { usableAsActivity: true, autoUpdateConsumingWorkflows: members.pinned !== true },
    ...members,
  });
};
const deployed = async (model: Model) => {
  await test.deploy(model);
  const { id, version } = await test.definition(model.definitionId);
  return { definitionId: model.definitionId, name: model.name, id, version };
};

describe('a workflow used as an activity', () => {
  it('takes inputs of every form, and gives outputs to variables and workflow outputs', async () => {
    const c = await deployed(
      child(
        seq('S', [setOutput('O1', 'Sum', js('getA() + getInput("B")')), setOutput('O2', 'Text', js('`${getC()}`'))]),
        {
          inputs: [inputDef('A', 'Int32'), inputDef('B', 'Int32'), inputDef('C', 'String')],
          outputs: [outputDef('Sum', 'Int32'), outputDef('Text', 'String')],
        },
      ),
    );
    const sum = variable('Sum', 'Int32');
    const use = subWorkflow('Sub', c, { a: lit('1'), b: js('2'), c: lit('x'), sum: out(sum), text: out('Text') });
    const run = await test.run(chain('F', [use, W('w', js('getSum() + 1 + ""'))]), {
      variables: [sum],
      outputs: [outputDef('Text')],
    });
    expect([run.status, run.lines, run.output]).toEqual(['Finished', ['4'], { Text: 'x' }]);
  });

  it('an input that is not given has its default, or null', async () => {
    const c = await deployed(
      child(W('w', js('`${getA()} ${getInput("B")}`')), {
        inputs: [{ ...inputDef('A', 'String'), defaultValue: 'dflt' }, inputDef('B', 'String')],
      }),
    );
    expect(await test.lines(subWorkflow('Sub', c))).toEqual(['dflt null']);
  });

  it('converts inputs to their types', async () => {
    const c = await deployed(
      child(W('w', js('`${typeof getN()} ${getL().length} ${typeof getT()}`')), {
        inputs: [inputDef('N', 'Int32'), inputDef('L', 'String', { isArray: true }), inputDef('T', 'String')],
      }),
    );
    expect(await test.lines(subWorkflow('Sub', c, { n: lit('5'), l: lit('["a","b"]'), t: js('7') }))).toEqual([
      'number 2 string',
    ]);
  });

  it.each<[string, object]>([
    ['by its type name alone', { workflowDefinitionId: undefined, workflowDefinitionVersionId: undefined }],
    ['by definition id', { workflowDefinitionVersionId: undefined }],
    ['by version id', { workflowDefinitionId: undefined }],
    ['by definition id, with an unknown version id', { workflowDefinitionVersionId: 'gone' }],
    ['by definition id, with an unknown version', { workflowDefinitionVersionId: 'gone', version: 99 }],
    [
      'by type name, with an unknown version',
      { workflowDefinitionId: undefined, workflowDefinitionVersionId: undefined, version: 99 },
    ],
  ])('is found %s', async (_, members) => {
    const c = await deployed(child(W('w', js('getText()')), { inputs: [inputDef('Text', 'String')] }));
    expect(await test.lines(seq('S', [{ ...subWorkflow('Sub', c, { text: lit('hi') }), ...members }]))).toEqual(['hi']);
  });

  it('is named after the workflow, words joined', async () => {
    await deployed({ ...child(W('w', 'x')), name: 'greet some-body v2' } as Model);
    const types = test.app
      .get(WorkflowEngine)
      .activities.list()
      .map((d) => d.descriptor.typeName);
    expect(types).toContain('GreetSomeBodyV2');
  });

  it.each<[string, Activity, string]>([
    ['Complete names one', complete('C', 'X'), 'x'],
    ['Complete names several', complete('C', ['X', 'Y']), 'xy'],
    ['Complete names none: Done', complete('C'), 'd'],
    ['nothing is completed: Done', W('i', 'i'), 'id'],
  ])('outcomes: %s', async (_, last, expected) => {
    const c = await deployed(child(seq('S', [last]), { outcomes: ['X', 'Y', 'Done'] }));
    const run = await test.run(
      flow(
        'F',
        [subWorkflow('Sub', c), W('x', 'x'), W('y', 'y'), W('d', 'd')],
        ['Sub:X->x', 'Sub:Y->y', 'Sub:Done->d'],
      ),
    );
    expect([run.status, run.lines.join('')]).toEqual(['Finished', expected]);
  });

  it('outcomes of its root activity are not its own', async () => {
    const c = await deployed(child(runJs('J', 'setOutcome("X")'), { outcomes: ['X'] }));
    const run = await test.run(flow('F', [subWorkflow('Sub', c), W('x', 'x'), W('d', 'd')], ['Sub:X->x', 'Sub->d']));
    expect(run.lines).toEqual(['d']);
  });

  it('Complete inside ends it and what waits in it, not what is around it', async () => {
    const c = await deployed(child(parallel('P', [event('E', 'never'), complete('C', 'X')]), { outcomes: ['X'] }));
    const run = await test.run(seq('S', [subWorkflow('Sub', c), W('w', 'after')]));
    expect([run.status, run.lines, run.waitingAt]).toEqual(['Finished', ['after'], []]);
    expect([run.record('P').status, run.record('Sub').status]).toEqual(['Completed', 'Completed']);
    expect(run.record('E').status).toBe('Canceled');
  });

  it('Complete after a suspension leaves the containers around it completed', async () => {
    const inner = flow('G', [event('E', 'go'), complete('C', 'X')], ['E->C']);
    const c = await deployed(child(seq('S2', [inner, W('never', 'never')]), { outcomes: ['X'] }));
    const run = await (await test.run(seq('S', [subWorkflow('Sub', c)]))).event('go');
    expect([run.status, run.lines]).toEqual(['Finished', []]);
    expect(['G', 'S2', 'Sub', 'S'].map((id) => run.record(id).status)).toEqual(Array(4).fill('Completed'));
  });

  it('Finish inside ends the whole instance', async () => {
    const c = await deployed(child(seq('S', [W('i', 'i'), act('Elsa.Finish', 'Fi')])));
    const run = await test.run(seq('S', [subWorkflow('Sub', c), W('w', 'never')]));
    expect([run.status, run.lines]).toEqual(['Finished', ['i']]);
  });

  it('a fault inside is the fault of the instance', async () => {
    const c = await deployed(child(seq('S', [fault('F', 'inner')])));
    const run = await test.run(seq('S', [subWorkflow('Sub', c), W('w', 'never')]));
    expect([run.status, run.lines, run.incidents]).toEqual(['Faulted', [], ['inner']]);
  });

  it('is suspended and resumed with the instance, with its data', async () => {
    const v = variable('V', 'String', 'own');
    const c = await deployed(
      child(
        seq('S', [
          runJs('J', 'setV(getV() + getText())'),
          event('E', 'go'),
          setOutput('O', 'Out', js('getV() + getInput("Text")')),
        ]),
        {
          inputs: [inputDef('Text', 'String')],
          outputs: [outputDef('Out', 'String')],
          variables: [v],
        },
      ),
    );
    const got = variable('Got', 'String');
    let run = await test.run(
      seq('S', [subWorkflow('Sub', c, { text: lit('!'), out: out(got) }), W('w', js('getGot()'))]),
      { variables: [got] },
    );
    expect([run.status, run.bookmarks[0]?.activityNodeId]).toEqual(['Suspended', 'Workflow2:S:Sub:Workflow1:S:E']);
    run = await run.event('go');
    expect([run.status, run.lines]).toEqual(['Finished', ['own!!']]);
  });

  it('a workflow runs as an activity three levels deep', async () => {
    const inner = await deployed(
      child(setOutput('O', 'Out', js('`<${getIn()}>`')), { inputs: [inputDef('In')], outputs: [outputDef('Out')] }),
    );
    const v = variable('V', 'Object');
    const wrapping = (below: typeof inner) =>
      child(
        seq('S', [
          subWorkflow('Sub', below, { in: js('getIn()'), out: out(v) }),
          setOutput('O', 'Out', js('`(${getV()})`')),
        ]),
        {
          inputs: [inputDef('In')],
          outputs: [outputDef('Out')],
          variables: [v],
        },
      );
    const outer = await deployed(wrapping(await deployed(wrapping(inner))));
    expect(
      await test.lines(seq('S', [subWorkflow('Sub', outer, { in: lit('x'), out: out(v) }), W('w', js('getV()'))]), {
        variables: [v],
      }),
    ).toEqual(['((<x>))']);
  });

  it('numbers workflows as when they stand alone: the ones inside first', async () => {
    const waiting = child(seq('S', [event('E', 'never')]));
    const inner = await deployed(waiting);
    const middle = await deployed(child(subWorkflow('Sub', inner)));
    const run = await test.run(
      parallel('P', [subWorkflow('A', inner), subWorkflow('B', middle), subWorkflow('C', inner)]),
    );
    expect(run.bookmarks.map((b) => b.activityNodeId)).toEqual([
      'Workflow5:P:A:Workflow1:S:E',
      'Workflow5:P:C:Workflow1:S:E',
      'Workflow5:P:B:Workflow2:Sub:Workflow1:S:E',
    ]);
  });

  it('a workflow used as an activity in a loop has fresh variables each time', async () => {
    const v = variable('V', 'String', '');
    const c = await deployed(
      child(seq('S', [runJs('J', 'setV(getV() + getX())'), W('w', js('getV()'))]), {
        inputs: [inputDef('X', 'String')],
        variables: [v],
      }),
    );
    expect(
      await test.lines(forEach('L', list(['a', 'b']), subWorkflow('Sub', c, { x: js('getCurrentValue()') }))),
    ).toEqual(['a', 'b']);
  });

  it('reads variables of the workflow around it, unless its own hide them', async () => {
    const c = await deployed(
      child(W('w', js('`${getOuter()} ${getBoth()}`')), {
        variables: [{ ...variable('Both', 'String', 'inner'), id: 'inner-both' }],
      }),
    );
    expect(
      await test.lines(subWorkflow('Sub', c), {
        variables: [variable('Outer', 'String', 'outer'), variable('Both', 'String', 'outer')],
      }),
    ).toEqual(['outer inner']);
  });

  it('an unknown one is a placeholder that faults when it runs', async () => {
    const use = subWorkflow('Sub', { definitionId: 'nobody', id: 'nobody-v1', name: 'NobodyHere', version: 1 });
    const run = await test.run(seq('S', [W('a', 'a'), use]));
    expect([run.status, run.lines, run.incidents]).toEqual(['Faulted', ['a'], [expect.stringContaining('NobodyHere')]]);
  });
});

describe('names', () => {
  const LINE = 'Elsa.WriteLine';
  const named = (name: string, root: Activity, members: Record<string, unknown> = {}) =>
    child(root, { name, ...members });
  const nodeOf = async (definitionId: string) => {
    const { root } = await test.definition(definitionId);
    return normalizeActivity((root.activities as Activity[])[0], test.app.context);
  };

  it('a draft that is called like an activity class does not take its place, and leaves the class when it is deleted', async () => {
    const user = workflow(uniqueId('user'), seq('S', [W('w', 'a line')]));
    await test.deploy(user);
    const draft = named(LINE, W('x', 'of the draft'));
    await test.app.saveDraft(draft);
    expect((await test.app.execute(user.definitionId)).lines).toEqual(['a line']);
    expect(await nodeOf(user.definitionId)).not.toHaveProperty('workflowDefinitionId');
    await test.app.get(IWorkflowDefinitionPublisher).delete([draft.definitionId]);
    expect((await test.app.execute(user.definitionId)).lines).toEqual(['a line']);
  });

  it('one that is called like an activity class is not published', async () => {
    const publisher = test.app.get(IWorkflowDefinitionPublisher);
    const model = named(LINE, W('x', 'of the workflow'));
    const message =
      "As an activity, the workflow would have the type 'Elsa.WriteLine', which is that of the class WriteLine. Rename the workflow, or set usableAsActivity to false.";
    expect(await publisher.validate(model as never)).toMatchObject({ problems: [{ message, path: 'name' }] });
    await expect(publisher.saveAndPublish(model as never)).resolves.toMatchObject({
      succeeded: false,
      problems: [{ message }],
    });
    expect(await publisher.validate({ ...model, options: {} } as never)).toMatchObject({ problems: [] });
  });

  // Which of two ids is the higher one is random: the second definition is saved in several versions, so that either may have the name.
  it.each([false, true])(
    'one that is used runs with its own inputs when another has its name (published: %s)',
    async (isPublished) => {
      const name = `Namesake${isPublished ? 1 : 2}`;
      const own = named(name, W('w', js('getWho()')), { inputs: [inputDef('Who', 'String')] });
      const c = await deployed(own);
      const parent = workflow(uniqueId('parent'), seq('S', [subWorkflow('Sub', c, { who: lit('Ada') })]));
      await test.deploy(parent);
      const ids = { workflowDefinitionId: c.definitionId, workflowDefinitionVersionId: c.id };
      for (let copies = 0; copies < 4; copies++) {
        const copy = named(name, W('w', 'of the copy'), { inputs: [inputDef('Name', 'String')] });
        await (isPublished ? test.app.publish(copy) : test.app.saveDraft(copy));
        expect((await test.app.execute(parent.definitionId)).lines).toEqual(['Ada']);
        expect(await nodeOf(parent.definitionId)).toMatchObject({ ...ids, who: { expression: { value: 'Ada' } } });
      }
    },
  );
});

describe('versions', () => {
  const publish = (model: Model) => test.app.publish(model);
  const subVersion = async (definitionId: string) => {
    const { version, root } = await test.definition(definitionId);
    const [sub] = root.activities as { version: number; latestAvailablePublishedVersion?: number }[];
    return [version, sub?.version];
  };

  it.each<[boolean, [number, number], string]>([
    [true, [2, 2], 'v2'],
    [false, [1, 1], 'v1'],
  ])('publishing a new version moves those that use it, if it says so: %s', async (autoUpdate, versions, line) => {
    const model = child(W('w', 'v1'), { pinned: !autoUpdate });
    const c = await deployed(model);
    const parent = workflow(uniqueId('parent'), seq('S', [subWorkflow('Sub', c)]));
    await test.deploy(parent);
    const result = await publish({ ...model, root: W('w', 'v2') } as Model);
    expect(result.updatedConsumers.map((d) => d.definitionId)).toEqual(autoUpdate ? [parent.definitionId] : []);
    expect(await subVersion(parent.definitionId)).toEqual(versions);
    expect((await test.app.execute(parent.definitionId)).lines).toEqual([line]);
  });

  it('a draft that uses it stays a draft', async () => {
    const model = child(W('w', 'v1'));
    const c = await deployed(model);
    const id = uniqueId('draft');
    await test.app.saveDraft(workflow(id, seq('S', [subWorkflow('Sub', c)])));
    await publish({ ...model, root: W('w', 'v2') } as Model);
    await expect(test.definition(id)).rejects.toMatchObject({ code: 'WM1020' });
    const { root, version } = await test.latest(id);
    expect([version, (root.activities as { version: number }[])[0]?.version]).toEqual([1, 2]);
  });

  it('moves a chain of users from the inside out', async () => {
    const model = child(W('w', 'v1'));
    const inner = await deployed(model);
    const middle = await deployed(child(seq('S', [subWorkflow('Sub', inner)])));
    const outer = workflow(uniqueId('outer'), seq('S', [subWorkflow('Sub', middle)]));
    await test.deploy(outer);
    await publish({ ...model, root: W('w', 'v2') } as Model);
    expect((await test.app.execute(outer.definitionId)).lines).toEqual(['v2']);
    expect(await subVersion(outer.definitionId)).toEqual([2, 2]);
  });

  it.each<[string, object]>([
    ['without a version', { workflowDefinitionVersionId: undefined, version: undefined }],
    ['with a version of another server', { workflowDefinitionVersionId: 'gone', version: 7 }],
    ['by type name alone', { workflowDefinitionId: undefined, workflowDefinitionVersionId: undefined, version: 0 }],
  ])('one that is named %s is the published one, while the next is a draft', async (_, members) => {
    const model = child(W('w', 'published'));
    const c = await deployed(model);
    await test.app.saveDraft({ ...model, root: W('w', 'draft') } as Model);
    const parent = workflow(uniqueId('parent'), seq('S', [{ ...subWorkflow('Sub', c), ...members }]));
    await test.deploy(parent);
    expect(await subVersion(parent.definitionId)).toEqual([1, 1]);
    expect((await test.app.execute(parent.definitionId)).lines).toEqual(['published']);
  });

  it('one that was never published is its draft', async () => {
    const model = child(W('w', 'draft'));
    await test.app.saveDraft(model);
    const use = { id: 'Sub', type: model.name, workflowDefinitionId: model.definitionId };
    const parent = workflow(uniqueId('parent'), seq('S', [use as never]));
    await test.deploy(parent);
    expect((await test.app.execute(parent.definitionId)).lines).toEqual(['draft']);
  });

  it('running instances stay on the version they began with', async () => {
    const model = child(seq('S', [event('E', 'go'), W('w', 'v1')]));
    const c = await deployed(model);
    const parent = workflow(uniqueId('parent'), seq('S', [subWorkflow('Sub', c)]));
    await test.deploy(parent);
    const run = await test.app.execute(parent.definitionId);
    await publish({ ...model, root: seq('S', [event('E', 'go'), W('w', 'v2')]) } as Model);
    expect((await run.event('go')).lines).toEqual(['v1']);
  });

  it('a retracted one still runs where it is used', async () => {
    const c = await deployed(child(W('w', 'still')));
    const parent = workflow(uniqueId('parent'), seq('S', [subWorkflow('Sub', c)]));
    await test.deploy(parent);
    await test.app.get(IWorkflowDefinitionPublisher).retract(c.definitionId);
    expect((await test.app.execute(parent.definitionId)).lines).toEqual(['still']);
  });

  it('a circle is refused when it is published', async () => {
    const a = child(W('w', 'x'));
    const first = await deployed(a);
    const b = await deployed(child(seq('S', [subWorkflow('Sub', first)])));
    const result = await publish({ ...a, root: seq('S', [subWorkflow('Sub', b)]) } as Model).catch((e: Error) => e);
    const text = result instanceof Error ? result.message : result.problems.map((p) => p.message).join();
    expect(text).toMatch(/cycle|circular|itself/i);
    expect((await test.app.execute(a.definitionId)).lines).toEqual(['x']);
  });

  it('a workflow that uses itself is refused, its first version too', async () => {
    const definitionId = uniqueId('self');
    const itself = { id: 'u', type: definitionId, workflowDefinitionId: definitionId };
    const own = { ...child(seq('S', [W('a', 'a'), itself as never])), definitionId };
    const result = await publish(own as Model).catch((e: Error) => e);
    const text = result instanceof Error ? result.message : result.problems.map((p) => p.message).join();
    expect(text).toContain(`cycle: '${definitionId}' → '${definitionId}'`);
  });
});
