import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { BENCH } from './measured-process.js';

const ROOT = path.join(BENCH, '..');

/**
 * Compiles libraries and benchmark: what is measured runs as users run it, without a loader.
 * @param root of another checkout
 * @throws when it fails
 */
export function buildBench(root = ROOT): Promise<void> {
  return compile('bench', root);
}

/**
 * Puts the compiled benchmark of this checkout beside another build: both are then measured by the same code, which finds
 * the libraries of the build that it stands in.
 * @param root of the other checkout
 * @returns the folder that takes the place of its `bench/`
 */
export async function lendBench(root: string): Promise<string> {
  const lent = path.join(root, 'bench/lent');
  await rm(lent, { recursive: true, force: true });
  await cp(path.join(BENCH, 'dist'), path.join(lent, 'dist'), { recursive: true });
  return lent;
}

/** The same as `npm run build`. */
export function buildHost(): Promise<void> {
  return compile('.');
}

async function compile(project: string, root = ROOT): Promise<void> {
  // Of the checkout itself: the other one may be older than its native compiler. Two compilers rebuild what the other one has built.
  const native = path.join(root, 'node_modules/typescript-native/bin/tsc');
  const compiler = existsSync(native) ? native : path.join(root, 'node_modules/typescript/bin/tsc');
  const child = spawn(process.execPath, [compiler, '-b', project], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`tsc -b ${project} failed:\n${output}`);
}
