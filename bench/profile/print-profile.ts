import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const TOP = 40;
const ROOT = path.join(import.meta.dirname, '../..');

/** Prints a profile by owner and by function, with the lines of the TypeScript sources. Time asleep is left out. */
export async function printProfile(file: string): Promise<void> {
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(file, 'utf8')) as Profile;
  const self = new Map<number, number>();
  samples.forEach((id, i) => self.set(id, (self.get(id) ?? 0) + timeDeltas[i]!));
  const awake = nodes.filter((node) => !['(idle)', '(root)'].includes(node.callFrame.functionName));
  const total = sum(awake.map((node) => self.get(node.id) ?? 0));
  const byOwner = new Map<string, number>();
  const bySelf = new Map<string, number>();
  for (const node of awake) {
    const time = self.get(node.id) ?? 0;
    const place = placeOf(node);
    add(byOwner, ownerOf(place), time);
    add(bySelf, `${node.callFrame.functionName || '(anonymous)'}  ${place}`, time);
  }
  console.error(`\n${path.basename(file)}: ${(total / 1e6).toFixed(2)} s awake`);
  list('by owner', byOwner, total, 20);
  list('self time', bySelf, total, TOP);
  list('with what they call (own code)', inclusive(nodes, self), total, TOP);
}

/** Time of functions of ours with their callees; recursion counts once. */
function inclusive(nodes: readonly ProfileNode[], self: ReadonlyMap<number, number>): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node] as const));
  const times = new Map<string, number>();
  const visit = (node: ProfileNode, above: ReadonlySet<string>): number => {
    const place = placeOf(node);
    const key = `${node.callFrame.functionName || '(anonymous)'}  ${place}`;
    const isOurs = place.startsWith('libs/');
    const within = isOurs ? new Set([...above, key]) : above;
    const time = (self.get(node.id) ?? 0) + sum((node.children ?? []).map((id) => visit(byId.get(id)!, within)));
    if (isOurs && !above.has(key)) add(times, key, time);
    return time;
  };
  visit(nodes[0]!, new Set());
  return times;
}

function list(title: string, times: ReadonlyMap<string, number>, total: number, count: number): void {
  console.error(`  ${title}`);
  for (const [key, time] of [...times].sort((a, b) => b[1] - a[1]).slice(0, count))
    console.error(`    ${((time / total) * 100).toFixed(1).padStart(5)} %  ${key}`);
}

function ownerOf(place: string): string {
  const found = /node_modules\/(?:\.pnpm\/)?((?:@[^/]+\/)?[^/]+)|^(libs\/[^/]+)|^(node:)|^(bench)/.exec(place);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? found?.[4] ?? 'engine (collector, compiler, built-ins, WebAssembly)';
}

const maps = new Map<string, SourceMap | undefined>();

function placeOf({ callFrame: { url, lineNumber, columnNumber } }: ProfileNode): string {
  if (!url.startsWith('file:')) return url || '(built-in)';
  const file = fileURLToPath(url);
  if (!maps.has(file)) maps.set(file, sourceMapOf(file));
  const origin = maps.get(file)?.findEntry(lineNumber, columnNumber);
  if (!origin || !('originalSource' in origin)) return `${path.relative(ROOT, file)}:${lineNumber + 1}`;
  return `${path.relative(ROOT, path.resolve(path.dirname(file), origin.originalSource))}:${origin.originalLine + 1}`;
}

function sourceMapOf(file: string): SourceMap | undefined {
  if (!existsSync(`${file}.map`)) return undefined;
  return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
}

function add(times: Map<string, number>, key: string, time: number): void {
  times.set(key, (times.get(key) ?? 0) + time);
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
