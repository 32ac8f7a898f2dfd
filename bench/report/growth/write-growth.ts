import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chartOf } from './chart.js';
import type { MeasuredDimension } from './curves.js';
import { joined } from './join.js';
import { markdownOf } from './markdown.js';

/** `growth.md` with a table of each dimension, `<dimension>.svg` with its curves, and `growth.json` with the numbers. */
export async function writeGrowth(
  folder: string,
  dimensions: readonly MeasuredDimension[],
  before: readonly MeasuredDimension[] = [],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'growth.md'), markdownOf(dimensions));
  await writeFile(path.join(folder, 'growth.json'), `${JSON.stringify(dimensions, undefined, 2)}\n`);
  for (const dimension of dimensions) {
    const earlier = before.find(({ name }) => name === dimension.name);
    await writeFile(path.join(folder, `${dimension.name}.svg`), chartOf(dimension, earlier));
  }
}

/** @param file a `growth.json` */
export async function readGrowth(file: string): Promise<MeasuredDimension[]> {
  return JSON.parse(await readFile(file, 'utf8')) as MeasuredDimension[];
}

/** Joins runs and writes their report. @param files each a `growth.json` */
export async function drawGrowth(folder: string, files: readonly string[], before?: string): Promise<void> {
  const runs = await Promise.all(files.map(readGrowth));
  await writeGrowth(folder, joined(runs), before === undefined ? [] : await readGrowth(before));
}
