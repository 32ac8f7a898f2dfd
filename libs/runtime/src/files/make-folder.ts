import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder and those above it. Not by `mkdir` with `recursive`: where a folder that exists takes no others, as below `/proc`,
 * Node tries without end and keeps a thread busy.
 * @param mode permissions of the folders that are made. @default as the system has them
 * @throws the error of the system, such as `ENOENT`, `EACCES` or `ENOTDIR`, with the path
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  const absolute = path.resolve(folder);
  try {
    await makeOne(absolute, mode);
  } catch (error) {
    const above = path.dirname(absolute);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === absolute) throw error;
    await makeFolder(above, mode);
    await makeOne(absolute, mode);
  }
}

async function makeOne(folder: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) throw error;
  }
}
