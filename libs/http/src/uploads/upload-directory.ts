import { readFileSync } from 'node:fs';
import { lstat, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { makeFolder } from '@waymark/runtime/adapter';
import { UploadStorageError } from './upload-errors.js';

const NAME = /^(\d+)-(\d+)-[0-9a-f]{16}\.upload$/;

/** A process that is alive names its file for a moment only; by the clock of the disk. */
const LEFT_OVER_MS = 60_000;

/** Of this user alone: other users of the machine write to the folder above it as well. */
export const defaultUploadDirectory = (): string =>
  path.join(os.tmpdir(), `waymark-uploads-${process.getuid?.() ?? os.userInfo().username}`);

/** Makes the folder if it is not there. @throws UploadStorageError one in a public place that is another user's, or open to others */
export async function prepareDirectory(directory: string): Promise<void> {
  await makeFolder(directory, 0o700);
  if (directory !== defaultUploadDirectory()) return;
  const found = await lstat(directory);
  const isOurs = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0);
  if (!found.isDirectory() || !isOurs)
    throw new UploadStorageError(
      `The upload folder '${directory}' belongs to another user, or others may read it. Remove it, or set http.uploadDirectory.`,
    );
}

/** A name that says which process has made the file. */
export const uploadName = (): string =>
  `${process.pid}-${startOf(process.pid) ?? '0'}-${randomBytes(8).toString('hex')}.upload`;

/**
 * Removes files of processes that have ended: of one that died between making a file and taking its name away, or where a
 * file cannot lose its name while it is open. @returns how many
 */
export async function removeLeftovers(directory: string, now: number): Promise<number> {
  let count = 0;
  for (const name of await readdir(directory).catch(() => [] as string[])) {
    const [, pid, start] = NAME.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid), start!)) continue;
    const file = path.join(directory, name);
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile() || now - found.mtimeMs < LEFT_OVER_MS) continue;
    await rm(file, { force: true });
    count++;
  }
  return count;
}

/** The number alone says little: it is given again. Where the system does not tell when it began, it counts as the same process. */
function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EPERM') return false;
  }
  return (startOf(pid) ?? start) === start;
}

/** When a process began, in the system's own count; undefined where there is none. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Its name may hold blanks and brackets.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
