import { apply, type Design, invert } from './change.js';
import { addNote, move, remove } from './commands.js';
import { levelAt } from './level.js';
import { changeNote } from './notes.js';

const design = {
  definitionId: 'd',
  root: {
    id: 'F',
    type: 'Elsa.Flowchart',
    metadata: { owner: 'Mia' },
    activities: [{ id: 'A', type: 'Elsa.WriteLine' }],
    connections: [],
  },
} as unknown as Design;
const note = { id: 'n1', text: 'Ask Mia first.', position: { x: 10, y: 20 } };
const noted = apply(design, addNote(design, levelAt(design, []), note));

describe('notes beside activities', () => {
  it('notes beside activities stand in the metadata of their container, beside what is there, and leave nothing behind', () => {
    expect(noted.root.metadata).toEqual({ owner: 'Mia', notes: [note] });
    const level = levelAt(noted, []);
    expect(level.notes).toEqual([note]);
    const gone = apply(noted, remove(noted, level, new Set(['n1'])));
    expect(gone).toEqual(design);
    const bare = { ...design, root: { ...design.root, metadata: undefined } } as Design;
    const added = apply(bare, addNote(bare, levelAt(bare, []), note));
    expect(apply(added, remove(added, levelAt(added, []), new Set(['n1']))).root).not.toHaveProperty('metadata');
  });

  it('notes beside activities are moved with activities and changed by themselves; what is unknown in them stays', () => {
    const root = { ...noted.root, metadata: { notes: [{ ...note, colour: 'green' }, { text: 'of another program' }] } };
    const other = { ...noted, root } as Design;
    const level = levelAt(other, []);
    expect(level.notes.map(({ id }) => id)).toEqual(['n1']);
    const places = new Map([
      ['A', { x: 1.4, y: 2 }],
      ['n1', { x: 30.6, y: 40 }],
    ]);
    const moved = apply(other, move(other, level, places));
    expect(moved.root.activities).toMatchObject([{ metadata: { designer: { position: { x: 1, y: 2 } } } }]);
    const written = changeNote(moved, levelAt(moved, []), 'n1', { text: 'Ask Tom.' })!;
    expect(apply(moved, written).root.metadata).toEqual({
      notes: [
        { id: 'n1', text: 'Ask Tom.', position: { x: 31, y: 40 }, colour: 'green' },
        { text: 'of another program' },
      ],
    });
    expect(apply(apply(moved, written), invert(written))).toEqual(moved);
  });

  it('notes beside activities need a container: a single activity becomes a flowchart', () => {
    const single = { ...design, root: { id: 'A', type: 'Elsa.WriteLine', metadata: { notes: [note] } } } as Design;
    expect(levelAt(single, []).notes).toEqual([]);
    const { root } = apply(single, addNote(single, levelAt(single, []), { ...note, id: 'n2' }));
    expect(root).toMatchObject({
      type: 'Elsa.Flowchart',
      activities: [{ id: 'A' }],
      metadata: { notes: [{ id: 'n2' }] },
    });
  });
});
