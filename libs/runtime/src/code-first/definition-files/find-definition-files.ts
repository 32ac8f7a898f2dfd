import type { Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { DefinitionFileError } from './definition-file-errors.js';

/** Files of one application. A folder with more is probably not a folder of definitions, such as the root of a disk. */
const MOST_FILES = 1000;
const MOST_ENTRIES = 20_000;

/**
 * Finds the `*.json` files in folders and their subfolders, in the order of their paths. Names that begin with a dot are skipped, and
 * links to folders are not followed: mounted ConfigMaps have both beside their files, which are links themselves.
 * @throws DefinitionFileError (`WM1050`) a folder that cannot be read, or too many files
 */
export async function findDefinitionFiles(folders: readonly string[]): Promise<string[]> {
  const files = new Set<string>();
  let entries = 0;
  const visit = async (folder: string, root: string): Promise<void> => {
    for (const name of await namesIn(folder)) {
      if (++entries > MOST_ENTRIES) throw tooMany(root);
      if (name.startsWith('.') || name === 'node_modules') continue;
      const full = path.join(folder, name);
      if ((await statusOf(full, lstat)).isDirectory()) await visit(full, root);
      else if (name.toLowerCase().endsWith('.json') && (await statusOf(full, stat)).isFile()) files.add(full);
      if (files.size > MOST_FILES) throw tooMany(root);
    }
  };
  for (const folder of folders) {
    const root = path.resolve(folder);
    await visit(root, root);
  }
  return [...files].toSorted();
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw new DefinitionFileError(folder, '', `the folder cannot be read: ${(cause as Error).message}.`, { cause });
  }
}

/** @throws DefinitionFileError a link that leads nowhere: a definition would be missing in silence */
async function statusOf(file: string, read: (file: string) => Promise<Stats>): Promise<Stats> {
  try {
    return await read(file);
  } catch (cause) {
    throw new DefinitionFileError(file, '', `it cannot be read: ${(cause as Error).message}.`, { cause });
  }
}

function tooMany(folder: string): DefinitionFileError {
  const reason = `the folder has more than ${MOST_FILES} definitions or ${MOST_ENTRIES} entries. Name the folder of definitions itself.`;
  return new DefinitionFileError(folder, '', reason);
}
