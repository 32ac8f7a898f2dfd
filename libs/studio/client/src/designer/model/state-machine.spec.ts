import type { ActivityJson } from '../../api/definitions.js';
import type { Change, Design } from './change.js';
import * as commands from './commands.js';
import { ActivityCatalogue } from './descriptors.js';
import { findAll } from './find.js';
import { historyOf, perform, undo } from './history.js';
import { type Level, levelAt, positionOf } from './level.js';
import { addState, renameState, setInitialState } from './machine-commands.js';
import { isTransition } from './state-machine.js';

const trigger = (id: string): ActivityJson => ({ id, type: 'Elsa.Event', name: id });
const machine: ActivityJson = {
  id: 'M',
  type: 'Elsa.StateMachine',
  states: [
    { name: 'Draft', entry: { id: 'Hello', type: 'Elsa.WriteLine' }, color: 'kept' },
    { name: 'Sent', entry: null, exit: null },
    { name: 'Done' },
  ],
  transitions: [
    { name: 'send', from: 'Draft', to: 'Sent', trigger: trigger('Send'), more: 1 },
    { name: 'recall', from: 'Sent', to: 'Draft', trigger: trigger('Recall') },
    { name: 'finish', from: 'Sent', to: 'Done', trigger: null },
  ],
  initialState: 'Draft',
  metadata: { designer: { states: { Draft: { x: 1, y: 2 } }, other: true } },
};
const design = { definitionId: 'd', root: machine } as Design;
const level = levelAt(design, []);

/** The machine after a change, which undo takes back to the byte. */
function after(change: Change | undefined): ActivityJson {
  const history = perform(historyOf(design), change!);
  expect(JSON.stringify(undo(history).design)).toBe(JSON.stringify(design));
  return history.design.root;
}

describe('a state machine on the canvas', () => {
  it('is states and transitions, wherever it stands', () => {
    const inside = levelAt({ ...design, root: { id: 'F', type: 'Elsa.Flowchart', activities: [machine] } }, [
      { id: 'M', slot: [] },
    ]);
    for (const one of [level, inside]) {
      expect(one.kind).toBe('machine');
      expect(one.activities.map(({ name, isInitial, isFinal }) => [name, isInitial, isFinal])).toEqual([
        ['Draft', true, false],
        ['Sent', false, false],
        ['Done', false, true],
      ]);
      expect(one.connections.map(({ source, target }) => `${source} ${target}`)).toEqual([
        'state:Draft state:Sent',
        'state:Sent state:Draft',
        'state:Sent state:Done',
      ]);
      expect(one.connections.every(isTransition)).toBe(true);
    }
    expect(positionOf(level.activities[0]!)).toEqual({ x: 1, y: 2 });
  });

  it('leads into what runs in states and transitions, and everything is found', () => {
    const entry = levelAt(design, [{ id: 'state:Draft', slot: ['entry'] }]);
    expect([entry.kind, entry.activities[0]?.id]).toEqual(['single', 'Hello']);
    const send = levelAt(design, [{ id: 'transition:0', slot: ['trigger'] }]);
    expect(send.path).toEqual(['root', 'transitions', 0, 'trigger']);
    const found = findAll(design, new ActivityCatalogue([]));
    expect(found.map(({ activity }) => activity.id)).toEqual([
      'state:Draft',
      'Hello',
      'state:Sent',
      'state:Done',
      'Send',
      'Recall',
    ]);
    expect(levelAt(design, found.at(-1)!.steps).activities[0]?.id).toBe('Recall');
  });

  it('takes a state between two others, and one behind another', () => {
    const [first] = level.connections;
    const between = after(addState(design, level, { name: 'Check', position: { x: 5.4, y: 6 }, on: first!.index }));
    expect(between.transitions).toMatchObject([
      { name: 'send', from: 'Draft', to: 'Check', trigger: { id: 'Send' }, more: 1 },
      { name: 'recall' },
      { name: 'finish' },
      { from: 'Check', to: 'Sent', trigger: null },
    ]);
    expect(between.metadata).toMatchObject({ designer: { states: { Check: { x: 5, y: 6 } }, other: true } });
    const behind = after(addState(design, level, { name: 'Check', position: { x: 0, y: 0 }, after: 'state:Done' }));
    expect((behind.transitions as object[]).at(-1)).toMatchObject({ from: 'Done', to: 'Check' });
  });

  it('renames a state with everything that names it, and keeps what else stands in it', () => {
    const renamed = after(renameState(design, level, 'Draft', 'New'));
    expect(renamed).toMatchObject({
      states: [{ name: 'New', color: 'kept', entry: { id: 'Hello' } }, { name: 'Sent' }, { name: 'Done' }],
      transitions: [{ from: 'New' }, { to: 'New' }, { from: 'Sent', to: 'Done' }],
      initialState: 'New',
    });
    expect(renamed.metadata).toEqual({ designer: { states: { New: { x: 1, y: 2 } }, other: true } });
  });

  it('removes a state with its transitions, and no transition for another', () => {
    const { states, transitions, initialState, metadata } = after(
      commands.remove(design, level, new Set(['state:Draft'])),
    );
    expect([states, transitions, initialState]).toMatchObject([
      [{ name: 'Sent' }, { name: 'Done' }],
      [{ name: 'finish' }],
      null,
    ]);
    expect(metadata).toEqual({ designer: { states: {}, other: true } });
    const one = after(commands.remove(design, level, new Set(), new Set([1])));
    expect(one.transitions).toMatchObject([{ name: 'send' }, { name: 'finish' }]);
  });

  it.each<[string, (level: Level) => Change | undefined, object]>([
    [
      'connects states, also one with itself',
      (one) => commands.connect(design, one, { source: 'state:Done', port: 'Done', target: 'state:Done' }),
      { transitions: [{}, {}, {}, { from: 'Done', to: 'Done', name: 'Transition1' }] },
    ],
    [
      'puts the end of a transition elsewhere',
      (one) =>
        commands.reconnect(design, one, one.connections[0]!, { source: 'state:Draft', port: '', target: 'state:Done' }),
      { transitions: [{ name: 'send', to: 'Done', more: 1 }, {}, {}] },
    ],
    [
      'moves states and leaves them as they are',
      (one) => commands.move(design, one, new Map([['state:Sent', { x: 7.6, y: 9 }]])),
      { states: machine.states, metadata: { designer: { states: { Draft: { x: 1, y: 2 }, Sent: { x: 8, y: 9 } } } } },
    ],
    ['begins elsewhere', (one) => setInitialState(design, one, 'Sent'), { initialState: 'Sent' }],
  ])('%s', (_, make, expected) => {
    expect(after(make(level))).toMatchObject(expected);
  });

  it('takes no activity among its states', () => {
    expect(after(commands.insert(design, level, [trigger('X')]))).toBe(machine);
  });
});
