import fc from 'fast-check';
import { amountOf } from '../../../../test/support/depth.js';
import { acceptBreadthFirst } from '../flowchart/accept-edges.js';
import { classifyEdges, type Edge, type EdgeKind } from '../flowchart/classify-edges.js';
import { findDominators, reversePostorder } from '../flowchart/dominators.js';

const edgesOf = (text: string): Edge[] =>
  text.split(' ').map((e) => ({ from: Number(e.split('>')[0]), to: Number(e.split('>')[1]) }));
const classify = (text: string, nodes: number, start = 0) =>
  classifyEdges(edgesOf(text), nodes, start)
    .map((k) => k[0])
    .join('');

/** The definition, taken literally: an edge that closes a cycle with edges accepted before, breadth first, is backward. */
function byDefinition(edges: readonly Edge[], nodes: number, start: number): ('F' | 'B' | 'U')[] {
  const kinds: ('F' | 'B' | 'U')[] = edges.map(() => 'U');
  const accepted: Edge[] = [];
  const reaches = (from: number, to: number, seen = new Set<number>()): boolean =>
    from === to ||
    (!seen.has(from) && (seen.add(from), accepted.some((e) => e.from === from && reaches(e.to, to, seen))));
  const queue = [start];
  const seen = new Set(queue);
  for (let node = queue.shift(); node !== undefined; node = queue.shift())
    edges.forEach((edge, i) => {
      if (edge.from !== node) return;
      kinds[i] = reaches(edge.to, node) ? 'B' : 'F';
      if (kinds[i] === 'F') accepted.push(edge);
      if (!seen.has(edge.to)) {
        seen.add(edge.to);
        queue.push(edge.to);
      }
    });
  return kinds;
}

/** True when the start is cut off from `below` without `above`. */
function isOnEveryPath(edges: readonly Edge[], start: number, above: number, below: number): boolean {
  if (above === start || above === below) return true;
  const seen = new Set([start]);
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const e of edges)
      if (e.from === node && e.to !== above && !seen.has(e.to)) {
        seen.add(e.to);
        open.push(e.to);
      }
  return !seen.has(below);
}

const arbitrary = fc.integer({ min: 1, max: 8 }).chain((n) =>
  fc.record({
    nodes: fc.constant(n),
    edges: fc.uniqueArray(fc.record({ from: fc.nat(n - 1), to: fc.nat(n - 1) }), {
      maxLength: 16,
      selector: (e) => `${e.from}>${e.to}`,
    }),
  }),
);

describe('classification of connections', () => {
  it.each([
    ['a chain', '0>1 1>2', 3, 'FF'],
    ['a diamond', '0>1 0>2 1>3 2>3', 4, 'FFFF'],
    ['a loop', '0>1 1>2 2>1', 3, 'FFB'],
    ['a loop to itself', '0>1 1>1', 2, 'FB'],
    ['a loop to the start', '0>1 1>0', 2, 'FB'],
    ['a loop with two entries', '0>1 0>2 1>2 2>1', 3, 'FFFI'],
    ['a loop with two entries, of which the farther one is drawn first', '0>1 0>2 1>3 2>3 3>2', 4, 'FFFFI'],
    ['a loop with two entries, one of them inside of another loop', '0>1 1>2 1>3 2>3 3>2 3>1', 4, 'FFFFIB'],
    ['two loops in each other, of which one is entered twice', '0>1 0>2 1>3 3>2 2>1 2>4 4>2', 5, 'FFFIFFB'],
    ['what cannot be reached', '0>1 2>1', 3, 'FU'],
    ['a short way beside a long one', '0>3 0>1 1>2 2>3', 4, 'FFFF'],
  ])('%s', (_, edges, nodes, expected) => {
    expect(classify(edges, nodes)).toBe(expected);
  });

  it('is that of the definition, however loops are entered', () => {
    fc.assert(
      fc.property(arbitrary, ({ nodes, edges }) => {
        const kinds = classifyEdges(edges, nodes, 0);
        const isBackward = kinds.map((kind) => (kind === 'Invalid' ? 'B' : kind[0]));
        expect(isBackward).toEqual(byDefinition(edges, nodes, 0));
      }),
      { numRuns: amountOf(4000) },
    );
  });

  it('takes a backward edge for valid if every forward path to it passes its target', () => {
    fc.assert(
      fc.property(arbitrary, ({ nodes, edges }) => {
        const kinds: EdgeKind[] = classifyEdges(edges, nodes, 0);
        const forward = edges.filter((_, i) => kinds[i] === 'Forward');
        edges.forEach((e, i) => {
          if (kinds[i] === 'Backward' || kinds[i] === 'Invalid')
            expect(kinds[i] === 'Backward').toBe(isOnEveryPath(forward, 0, e.to, e.from));
        });
      }),
      { numRuns: amountOf(2000) },
    );
  });

  it('takes thousands of loops with two entries', () => {
    const n = 9000;
    const edges = Array.from({ length: n / 3 }, (_, i) => 3 * i).flatMap((a) => [
      { from: a, to: a + 1 },
      { from: a, to: a + 2 },
      { from: a + 1, to: a + 2 },
      { from: a + 2, to: a + 1 },
      ...(a + 3 < n ? [{ from: a + 2, to: a + 3 }] : []),
    ]);
    const kinds = classifyEdges(edges, n, 0);
    expect([kinds.filter((k) => k === 'Invalid').length, kinds.includes('Backward')]).toEqual([n / 3, false]);
  });

  it('takes ten thousand activities in one knot, without a search that grows with their square', () => {
    const n = 10_000;
    const edges = [
      ...Array.from({ length: n - 1 }, (_, i) => ({ from: 0, to: i + 1 })),
      ...Array.from({ length: n - 2 }, (_, i) => ({ from: n - 1 - i, to: n - 2 - i })),
      { from: 1, to: n - 1 },
    ];
    expect(acceptBreadthFirst(edges, n, 0)).toBeUndefined();
    expect(classifyEdges(edges, n, 0).filter((kind) => kind !== 'Forward')).toEqual(['Invalid']);
  });

  it('finds dominators', () => {
    const targets = [[1, 2], [3], [3], [4], [1], []];
    const { dominates } = findDominators(targets, 0, reversePostorder(targets, 0));
    expect([dominates(0, 4), dominates(3, 4), dominates(1, 3), dominates(5, 5)]).toEqual([true, true, false, false]);
  });

  it('takes ten thousand connections to one activity', () => {
    const n = 10_000;
    const edges = Array.from({ length: 2 * n - 4 }, (_, i) =>
      i & 1 ? { from: (i >> 1) + 1, to: n - 1 } : { from: i >> 1, to: (i >> 1) + 1 },
    );
    expect(new Set(classifyEdges(edges, n, 0))).toEqual(new Set(['Forward']));
  });
});
