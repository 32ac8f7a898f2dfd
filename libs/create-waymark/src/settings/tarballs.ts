import { readdirSync } from 'node:fs';
import path from 'node:path';
import { RefusedError } from '../refused-error.js';
import { WAYMARK_VERSION } from '../versions/versions.js';

/**
 * Where a package of Waymark is installed from: its version, or its tarball in a folder, as `npm pack` writes it.
 * @throws RefusedError when the folder has no such tarball; at once for a folder that cannot be read
 */
export function packageSource(folder: string | undefined): (name: string) => string {
  if (folder === undefined) return () => WAYMARK_VERSION;
  const files = filesOf(folder);
  return (name) => {
    const file = `${name.replace('@', '').replace('/', '-')}-${WAYMARK_VERSION}.tgz`;
    if (files.includes(file)) return `file:${path.join(folder, file)}`;
    throw new RefusedError(`${folder} has no ${file}: pack all packages of Waymark into that folder.`);
  };
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    throw new RefusedError(`The folder of --tarballs cannot be read: ${folder}.`);
  }
}
