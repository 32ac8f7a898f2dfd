import type { ELK, ElkNode } from 'elkjs/lib/elk-api.js';
import { loadFile } from '../parts/load-file.js';
import { NODE_HEIGHT, NODE_WIDTH, type Outline, type Positions, rowOf } from './row.js';

export { NODE_HEIGHT, NODE_WIDTH, type Outline, type Positions } from './row.js';

/** Between columns, at least. */
export const GAP = 90;
const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.spacing.nodeNode': '40',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
};

interface Engine {
  readonly elk: ELK;
  /** Rejects when its worker does not load, or fails: the library would wait for its answer without an end. */
  readonly broken: Promise<never>;
}

let engine: Promise<Engine> | undefined;

/** In a worker: a large picture takes seconds, in which the page must stay usable. */
async function load(): Promise<Engine> {
  const [{ default: Elk }, { default: url }] = await loadFile(() =>
    Promise.all([import('elkjs/lib/elk-api.js'), import('elkjs/lib/elk-worker.min.js?url')]),
  );
  const worker = new Worker(url);
  const failed = new Promise<never>((_resolve, reject) => {
    worker.addEventListener('error', ({ message }) => reject(new Error(message || 'The worker was not loaded.')));
  });
  const broken = loadFile(() => failed);
  broken.catch(() => (engine = undefined));
  return { elk: new Elk({ workerFactory: () => worker }), broken };
}

/** The next picture asks for it again. */
function forget(error: unknown): never {
  engine = undefined;
  throw error;
}

/** Places for all nodes, from left to right. Nothing of it is stored. @param gap between columns, where the names of edges stand */
export async function layOut({ nodes, edges }: Outline, gap = GAP): Promise<Positions> {
  const row = rowOf({ nodes, edges }, gap);
  if (row) return row;
  const { elk, broken } = await (engine ??= load().catch(forget));
  const graph: ElkNode = {
    id: 'root',
    layoutOptions: { ...OPTIONS, 'elk.layered.spacing.nodeNodeBetweenLayers': String(gap) },
    children: nodes.map(({ id, width = NODE_WIDTH, height = NODE_HEIGHT }) => ({ id, width, height })),
    edges: edges.map(({ id, source, target }) => ({ id, sources: [source], targets: [target] })),
  };
  const { children = [] } = await Promise.race([elk.layout(graph), broken]);
  return new Map(children.map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
}
