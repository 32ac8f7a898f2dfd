export const NODE_WIDTH = 200;
export const NODE_HEIGHT = 56;

/** What has to be known of a picture to lay it out. */
export interface Outline {
  readonly nodes: readonly { readonly id: string; readonly width?: number; readonly height?: number }[];
  readonly edges: readonly { readonly id: string; readonly source: string; readonly target: string }[];
}

export type Positions = ReadonlyMap<string, { readonly x: number; readonly y: number }>;

/** The nodes one after the other, where edges lead from each to the next and nowhere else; `undefined` for other pictures. */
function lineOf({ nodes, edges }: Outline): Outline['nodes'] | undefined {
  if (edges.length !== nodes.length - 1) return undefined;
  const next = new Map(edges.map(({ source, target }) => [source, target]));
  const targets = new Set(next.values());
  if (next.size !== edges.length || targets.size !== edges.length) return undefined;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const line: Outline['nodes'][number][] = [];
  let node = nodes.find(({ id }) => !targets.has(id));
  for (; node !== undefined && line.length < nodes.length; node = byId.get(next.get(node.id) ?? '')) line.push(node);
  return line.length === nodes.length ? line : undefined;
}

/**
 * Places in the middle of one row for a picture that is a line, such as a sequence; `undefined` for others. It needs no engine, whose
 * file of a megabyte would be what the picture waits for.
 */
export function rowOf(outline: Outline, gap: number): Positions | undefined {
  const line = lineOf(outline);
  if (!line) return undefined;
  const tallest = Math.max(...line.map(({ height = NODE_HEIGHT }) => height));
  let x = 0;
  return new Map(
    line.map(({ id, width = NODE_WIDTH, height = NODE_HEIGHT }) => {
      const place = { x, y: (tallest - height) / 2 };
      x += width + gap;
      return [id, place];
    }),
  );
}
