import { describe, expect, it } from '@jest/globals';
import { Activity as ActivityClass, ActivityBase } from '@waymark/core';
import { parseDefinitionText, writeExport } from '@waymark/core/adapter';
import { WorkflowEngine } from '@waymark/runtime';
import { W, act, flow, iff, js, lit, seq } from '../conformance/lib/build.mjs';
import { useApplication } from '../support/use-application.js';

const test = useApplication();
const unknown = (id = 'X') => ({
  ...act('Acme.Teleport', id, {
    destination: { typeName: 'String', expression: { type: 'Literal', value: 'Mars' } },
    crew: [{ name: 'Ann', $id: 'kept' }],
    inner: W('inside', 'inside'),
  }),
  version: 3,
  metadata: { displayText: 'Beam me up', designer: { position: { x: 1.5, y: -2 } } },
});

describe('an activity of an unknown type', () => {
  it('can be published, and faults when it is reached', async () => {
    const run = await test.run(seq('S', [W('a', 'a'), unknown(), W('b', 'b')]));
    expect([run.status, run.lines, run.incidents]).toEqual([
      'Faulted',
      ['a'],
      [expect.stringContaining('Acme.Teleport')],
    ]);
    expect(run.record('X').activityType).toBe('Elsa.NotFoundActivity');
  });

  it('has no effect if it is not reached', async () => {
    expect(await test.lines(seq('S', [iff('If', lit(false), unknown(), W('e', 'e'))]))).toEqual(['e']);
  });

  it('an activity of an unknown type in a flowchart faults at its place', async () => {
    const run = await test.run(flow('F', [W('a', 'a'), unknown(), W('b', 'b')], ['a->X', 'X->b']));
    expect([run.status, run.lines]).toEqual(['Faulted', ['a']]);
  });

  it('is a placeholder in exports, with all of its JSON', async () => {
    const run = await test.run(seq('S', [unknown()]));
    const { root } = await test.definition(run.stored.definitionId);
    const [node] = root.activities as Record<string, unknown>[];
    expect(node).toMatchObject({
      type: 'Elsa.NotFoundActivity',
      missingTypeName: 'Acme.Teleport',
      metadata: { displayText: 'Not Found: Acme.Teleport' },
    });
    expect(JSON.parse(String(node?.originalActivityJson))).toMatchObject({
      type: 'Acme.Teleport',
      crew: [{ name: 'Ann', $id: 'kept' }],
    });
  });

  it('is restored with its connections when its type is registered', async () => {
    const run = await test.run(
      flow('F', [W('a', 'a'), { ...unknown('T'), type: 'Acme.Later' }, W('b', 'b')], ['a->T', 'T:Arrived->b']),
    );
    const { definitionId } = run.stored;
    expect(run.lines).toEqual(['a']);
    class Later extends ActivityBase {
      execute(ctx: Parameters<ActivityBase['execute']>[0]): unknown {
        return ctx.completeWithOutcomes('Arrived');
      }
    }
    ActivityClass({ type: 'Acme.Later', outcomes: ['Arrived'] })(Later);
    const { activities } = test.app.get(WorkflowEngine);
    activities.registerClass(Later, new Later());
    const later = await test.app.execute(definitionId);
    expect([later.status, later.lines]).toEqual(['Finished', ['a', 'b']]);
    const exported = writeExport(await test.definition(definitionId), test.app.context) as {
      root: { activities: object[]; connections: object[] };
    };
    expect(exported.root.activities[1]).toMatchObject({ type: 'Acme.Later', metadata: { displayText: 'Beam me up' } });
    expect(exported.root.connections).toHaveLength(2);
  });

  it('RunCSharp and RunPython are unknown activities', async () => {
    for (const type of ['Elsa.RunCSharp', 'Elsa.RunPython']) {
      const run = await test.run(seq('S', [act(type, 'X', { script: lit('1 + 1') })]));
      expect([run.status, run.incidents]).toEqual(['Faulted', [expect.stringContaining(type)]]);
    }
  });
});

it('an unknown version of a known type is the latest', async () => {
  expect(await test.lines({ ...W('w', 'w'), version: 99 })).toEqual(['w']);
});

it('unknown members of a known activity survive', async () => {
  const run = await test.run({
    ...W('w', 'w'),
    strategy: 'old',
    customProperties: { source: 'File.cs:45', own: { a: [1] } },
  });
  const { root } = await test.definition(run.stored.definitionId);
  expect(root.customProperties).toMatchObject({ source: 'File.cs:45', own: { a: [1] } });
});

it('a file may begin with a BOM and have Windows line ends', async () => {
  const text = `\uFEFF${JSON.stringify({ definitionId: 'bom', root: W('w', js('"ok"')) }, null, 2).replaceAll('\n', '\r\n')}`;
  await test.app.deploy(parseDefinitionText(text) as { definitionId: string });
  expect((await test.app.execute('bom')).lines).toEqual(['ok']);
});
