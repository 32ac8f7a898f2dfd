import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { ActivityJson } from '../../api/definitions.js';
import { type Change, type Design, edit, together } from './change.js';
import { cut, fromText, renew, toText } from './clipboard.js';
import * as commands from './commands.js';
import { findAll } from './find.js';
import { ActivityCatalogue } from './descriptors.js';
import { type History, historyOf, perform, redo, undo } from './history.js';
import { getAt } from './json-path.js';
import { activityOf, activityPath, type Level, levelAt, positionOf } from './level.js';
import { namesIn } from './new-activity.js';

const texts = readFileSync(path.join(import.meta.dirname, 'recorded-definitions.jsonl'), 'utf8')
  .trim()
  .split('\n');
const recorded = texts.map((text) => JSON.parse(text) as Design);
const drawable = recorded.filter(({ root }) => typeof root?.id === 'string' && typeof root.type === 'string');

const line = (id: string): ActivityJson => ({ id, type: 'Elsa.WriteLine', version: 1, name: id });
const catalogue = new ActivityCatalogue([]);

/** A place in the document: any level of it. */
const levels = (design: Design): Level[] => {
  const all = new Map<string, Level>();
  for (const { steps } of findAll(design, catalogue)) all.set(JSON.stringify(steps), levelAt(design, steps));
  return [levelAt(design, []), ...all.values()];
};

type Make = (design: Design, level: Level, pick: (count: number) => number) => Change | undefined;

let made = 0;
const COMMANDS: Readonly<Record<string, Make>> = {
  insert: (design, level) => commands.insert(design, level, [line(`New${(made += 1)}`)]),
  insertAfter: (design, level, pick) => {
    const after = level.activities[pick(level.activities.length)];
    return (
      after && commands.insert(design, level, [line(`New${(made += 1)}`)], { after: { id: after.id, port: 'Done' } })
    );
  },
  insertOn: (design, level, pick) => {
    const on = level.connections[pick(level.connections.length)];
    return on && commands.insert(design, level, [line(`New${(made += 1)}`)], { on });
  },
  connect: (design, level, pick) => {
    const [a, b] = [0, 0].map(() => level.activities[pick(level.activities.length)]);
    return level.kind === 'flowchart' && a && b
      ? commands.connect(design, level, { source: a.id, port: 'Done', target: b.id })
      : undefined;
  },
  reconnect: (design, level, pick) => {
    const one = level.connections[pick(level.connections.length)];
    return one && level.kind === 'flowchart'
      ? commands.reconnect(design, level, one, { ...one, port: 'Other' })
      : undefined;
  },
  remove: (design, level, pick) => {
    const one = level.activities[pick(level.activities.length)];
    return one && commands.remove(design, level, new Set([one.id]));
  },
  disconnect: (design, level, pick) =>
    level.kind === 'flowchart' && level.connections.length > 0
      ? commands.remove(design, level, new Set(), new Set([pick(level.connections.length)]))
      : undefined,
  move: (design, level, pick) => {
    const one = level.activities[pick(level.activities.length)];
    return one && commands.move(design, level, new Map([[one.id, { x: pick(900), y: pick(900) }]]));
  },
  shift: (design, level, pick) => {
    const one = level.activities[pick(level.activities.length)];
    return one && level.kind === 'list' ? commands.shift(design, level, one.id, 1) : undefined;
  },
  type: (design, level, pick) => {
    const one = level.activities[pick(level.activities.length)];
    return one && commands.setMember(design, activityPath(level, one.id)!, 'name', `Name ${pick(9)}`);
  },
  takeAway: (design) => commands.setMember(design, [], 'description', undefined),
  paste: (design, level) => {
    const clipping = cut(level, new Set(level.activities.map(({ id }) => id)));
    const renewed = renew(fromText(toText(clipping)) ?? clipping, namesIn(design));
    return clipping.activities.length > 0
      ? commands.insert(design, level, renewed.activities, {}, renewed.connections)
      : undefined;
  },
};

describe('the document of the designer', () => {
  it('opens and gives out every recorded definition byte by byte', () => {
    expect(recorded.length).toBeGreaterThanOrEqual(40);
    for (const [index, design] of recorded.entries())
      expect(JSON.stringify(historyOf(design).design)).toBe(texts[index]);
  });

  it('returns to the same bytes by undo, and forward again by redo, after any edit', () => {
    const steps = fc.array(
      fc.record({
        name: fc.constantFrom(...Object.keys(COMMANDS)),
        level: fc.nat(50),
        picks: fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...drawable), steps, (design, todo) => {
        let history: History = historyOf(design);
        const texts: string[] = [JSON.stringify(design)];
        for (const { name, level, picks } of todo) {
          const known = levels(history.design);
          let next = 0;
          const pick = (count: number) => (count === 0 ? 0 : picks[next++ % picks.length]! % count);
          const change = COMMANDS[name]!(history.design, known[level % known.length]!, pick);
          const { done } = history;
          if (change) history = perform(history, change);
          if (history.done.length > done.length) texts.push(JSON.stringify(history.design));
          // Went on with the step before.
          else texts[texts.length - 1] = JSON.stringify(history.design);
        }
        for (const text of texts.toReversed()) {
          expect(JSON.stringify(history.design)).toBe(text);
          history = undo(history);
        }
        for (const text of texts) {
          expect(JSON.stringify(history.design)).toBe(text);
          history = redo(history);
        }
      }),
      { numRuns: 300, seed: 17 },
    );
  });

  it('changes nothing but the position of an activity that is moved', () => {
    for (const design of drawable) {
      for (const { activity, steps } of findAll(design, catalogue)) {
        const level = levelAt(design, steps);
        const { design: moved } = perform(
          historyOf(design),
          commands.move(design, level, new Map([[activity.id, { x: 7, y: 9 }]])),
        );
        const path = activityPath(level, activity.id)!;
        // Of two with one id the first is moved: that is wrong in the definition, and no reason to lose one.
        const before = getAt(design, path);
        const back = edit(moved, path, () => before);
        expect(JSON.stringify(perform(historyOf(moved), back).design)).toBe(JSON.stringify(design));
        const after = activityOf(levelAt(moved, steps), activity.id);
        expect(positionOf(after!)).toEqual({ x: 7, y: 9 });
      }
    }
  });

  it('treats the letters of a word as one step, and a new field as another', () => {
    const design = drawable[0]!;
    let history = historyOf(design);
    for (const name of ['A', 'Ab', 'Abc'])
      history = perform(history, commands.setMember(history.design, [], 'name', name));
    history = perform(history, commands.setMember(history.design, [], 'description', 'x'));
    expect(history.done).toHaveLength(2);
    expect(undo(undo(history)).design).toEqual(design);
  });

  it('takes back one thing at a time of a list that is edited as a whole', () => {
    const named = (...names: string[]) => names.map((name) => ({ id: name, name: name.toLowerCase() }));
    const steps = [named('A'), named('A', 'B'), [{ id: 'A', name: 'a1' }, ...named('B')], named('B')];
    let history = historyOf(drawable[0]!);
    for (const variables of steps)
      history = perform(history, commands.setMember(history.design, [], 'variables', variables));
    // The letters of one name are one step.
    for (const name of ['b1', 'b12'])
      history = perform(history, commands.setMember(history.design, [], 'variables', [{ id: 'B', name }]));
    expect(history.done).toHaveLength(5);
    history = undo(undo(history));
    expect(history.design.variables).toEqual(steps[2]);
  });

  it('takes the letters of an expression for one step, from the first to the last', () => {
    const text = (value: string) =>
      value === '' ? null : { typeName: 'String', expression: { type: 'Literal', value } };
    let history = historyOf(drawable[0]!);
    for (const value of ['H', 'Ha', 'H', ''])
      history = perform(history, commands.setMember(history.design, ['root'], 'text', text(value)));
    expect(history.done).toHaveLength(1);
  });

  it('takes several commands for one step', () => {
    const design = drawable[0]!;
    const change = together(
      design,
      (now) => commands.setMember(now, [], 'name', 'A'),
      (now) => commands.setMember(now, [], 'name', `${now.name}B`),
    );
    const history = perform(historyOf(design), change);
    expect([history.design.name, undo(history).design]).toEqual(['AB', design]);
  });
});

describe('levels of the canvas', () => {
  const design = (root: unknown): Design => ({ definitionId: 'd', root }) as Design;
  const empty = { id: 'If', type: 'Elsa.If', then: null, else: line('No') };

  it('levels of the canvas make a flowchart of an empty slot, and of a single activity, when one is added', () => {
    const start = design({ id: 'F', type: 'Elsa.Flowchart', activities: [empty], connections: [] });
    const then = levelAt(start, [{ id: 'If', slot: ['then'] }]);
    expect([then.kind, then.path]).toEqual(['empty', ['root', 'activities', 0, 'then']]);
    const filled = perform(historyOf(start), commands.insert(start, then, [line('Yes')])).design;
    expect(levelAt(filled, then.steps)).toMatchObject({ kind: 'flowchart', activities: [{ id: 'Yes' }] });
    const other = levelAt(start, [{ id: 'If', slot: ['else'] }]);
    const two = perform(
      historyOf(start),
      commands.insert(start, other, [line('More')], { after: { id: 'No', port: 'Done' } }),
    );
    expect(levelAt(two.design, other.steps)).toMatchObject({
      kind: 'flowchart',
      activities: [{ id: 'No' }, { id: 'More' }],
      connections: [{ source: 'No', port: 'Done', target: 'More' }],
    });
  });

  it('levels of the canvas lead as deep as the steps still exist', () => {
    const start = design({ id: 'F', type: 'Elsa.Flowchart', activities: [empty], connections: [] });
    expect(levelAt(start, [{ id: 'Gone', slot: [] }]).path).toEqual(['root']);
  });

  it('remove an activity with its connections, and leave no gap in a slot', () => {
    const start = design({
      id: 'F',
      type: 'Elsa.Flowchart',
      activities: [line('A'), line('B')],
      connections: [{ source: { activity: 'A', port: 'Done' }, target: { activity: 'B', port: 'In' } }],
    });
    const { root } = perform(historyOf(start), commands.remove(start, levelAt(start, []), new Set(['A']))).design;
    expect([root.activities, root.connections]).toEqual([[line('B')], []]);
  });
});

describe('the clipboard', () => {
  it('gives new ids to everything in it, also inside, and keeps what refers to them', () => {
    const inner = { id: 'Inner', type: 'Elsa.WriteLine', text: { memoryReference: { id: 'Outer:Result' } } };
    const clipping = {
      activities: [
        { id: 'Outer', nodeId: 'W:Outer', name: 'Outer', type: 'Elsa.If', then: inner },
        { id: 'Next', name: 'Next', type: 'Elsa.WriteLine' },
      ],
      connections: [{ source: { activity: 'Outer', port: 'Done' }, target: { activity: 'Next', port: 'In' } }],
      notes: [],
    };
    const { activities, connections } = renew(clipping, new Set(['Outer', 'Next']));
    const [outer, next] = activities as [ActivityJson, ActivityJson];
    const then = outer.then as typeof inner;
    expect(new Set([outer.id, next.id, then.id, 'Outer', 'Next', 'Inner']).size).toBe(6);
    expect(then.text.memoryReference.id).toBe(`${outer.id}:Result`);
    expect(outer).not.toHaveProperty('nodeId');
    expect(outer.name).toBe('Outer1');
    expect(connections).toEqual([
      { source: { activity: outer.id, port: 'Done' }, target: { activity: next.id, port: 'In' } },
    ]);
  });

  it('has flowcharts that begin with the copy of the activity that the original begins with', () => {
    const chart = { id: 'C', type: 'Elsa.Flowchart', start: 'B', activities: [line('A'), line('B')], connections: [] };
    const other = { id: 'O', type: 'Elsa.Plan', start: 'B' };
    const { activities } = renew({ activities: [chart, other], connections: [], notes: [] }, new Set());
    const [copy, plan] = activities as [ActivityJson & { activities: ActivityJson[] }, ActivityJson];
    expect(copy.start).toBe(copy.activities[1]!.id);
    expect(plan.start).toBe('B');
  });

  it('takes notes along, and puts a second copy beside the first', () => {
    const note = { id: 'N', text: 'Ask Mia.', position: { x: 0, y: 100 } };
    const root = {
      id: 'F',
      type: 'Elsa.Flowchart',
      activities: [{ ...line('A'), metadata: { designer: { position: { x: 0, y: 0 } } } }],
      connections: [],
      metadata: { notes: [note] },
    };
    const level = levelAt({ definitionId: 'd', root } as unknown as Design, []);
    const clipping = fromText(toText(cut(level, new Set(['A', 'N']))))!;
    const first = renew(clipping, new Set());
    expect(first.notes).toEqual([{ ...note, id: first.notes[0]!.id, position: { x: 40, y: 140 } }]);
    expect(first.notes[0]!.id).not.toBe('N');
    const second = renew(clipping, new Set(), undefined, [
      { x: 0, y: 0 },
      { x: 40, y: 40 },
    ]);
    expect(second.activities.map(positionOf)).toEqual([{ x: 80, y: 80 }]);
    expect(second.notes[0]!.position).toEqual({ x: 80, y: 180 });
    // A whole flowchart has its notes in its metadata; notes alone are something as well.
    expect(fromText(JSON.stringify({ root }))?.notes).toEqual([note]);
    expect(fromText(toText(cut(level, new Set(['N']))))).toEqual({ activities: [], connections: [], notes: [note] });
    // Without notes it is what it was, for Elsa's designer.
    expect(JSON.parse(toText(cut(level, new Set(['A']))))).not.toHaveProperty('notes');
  });

  it('takes a whole definition, a part of one, or a single activity; nothing else', () => {
    const root = { id: 'F', type: 'Elsa.Flowchart', activities: [line('A')], connections: [] };
    for (const value of [{ root }, root, line('A')])
      expect(fromText(JSON.stringify(value))?.activities[0]?.id).toBe('A');
    for (const text of ['hello', '1', 'null', '{}', '[]']) expect(fromText(text)).toBeUndefined();
  });
});
