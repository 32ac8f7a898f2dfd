import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { MeasuredProcess } from '../processes/measured-process.js';
import { printProfile } from './print-profile.js';

/** Runs the task; with a folder, profiles the processes meanwhile, one file each, and prints where their time went. */
export async function profiled(
  folder: string | undefined,
  name: string,
  processes: readonly MeasuredProcess[],
  task: () => Promise<void>,
): Promise<void> {
  if (folder === undefined) return task();
  await mkdir(folder, { recursive: true });
  for (const child of processes) await child.call('startProfile');
  await task();
  for (const [i, child] of processes.entries()) {
    const file = path.resolve(folder, `${name.replaceAll(/\W+/g, '-')}-${i}.cpuprofile`);
    await child.call('stopProfile', file);
    await printProfile(file);
  }
}
