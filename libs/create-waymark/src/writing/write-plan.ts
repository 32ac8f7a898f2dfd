import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plan } from '../planning/plan.js';
import { RefusedError } from '../refused-error.js';

/** Holds a secret: others on the machine need not read it. */
const OWNERS_ONLY = 0o600;

/**
 * Writes a plan, all of it or none: what has been written is taken back when a later step fails. Files that exist by now are not
 * overwritten, and files that have changed since the plan was made are not replaced.
 * @throws RefusedError when it cannot be written, with the folder as it was
 */
export function writePlan({ folder, created, changed }: Plan): void {
  const undo: (() => void)[] = [];
  try {
    for (const [file, text] of created) create(path.join(folder, file), text, undo);
    for (const [file, { before, after }] of changed) change(path.join(folder, file), before, after, undo);
  } catch (error) {
    for (const step of undo.toReversed()) step();
    throw new RefusedError(`Nothing was changed, because a file could not be written: ${(error as Error).message}`);
  }
}

function create(file: string, text: string, undo: (() => void)[]): void {
  const firstMade = mkdirSync(path.dirname(file), { recursive: true });
  if (firstMade !== undefined) undo.push(() => rmSync(firstMade, { recursive: true, force: true }));
  const mode = path.basename(file) === '.env' ? OWNERS_ONLY : undefined;
  writeFileSync(file, text, { flag: 'wx', mode });
  undo.push(() => rmSync(file, { force: true }));
}

function change(file: string, before: string, after: string, undo: (() => void)[]): void {
  if (readFileSync(file, 'utf8') !== before) throw new Error(`${file} has just been changed by something else.`);
  const beside = `${file}.${process.pid}.tmp`;
  undo.push(() => rmSync(beside, { force: true }));
  writeFileSync(beside, after, { flag: 'wx' });
  renameSync(beside, file);
  undo.push(() => writeFileSync(file, before));
}
