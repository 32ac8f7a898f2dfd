// Deletes what `npm run build` wrote; the build information lies in the same folders, so the next build starts afresh.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const parts = ['libs', 'examples'].flatMap((folder) =>
  readdirSync(path.join(root, folder)).map((name) => path.join(folder, name, 'dist')),
);
for (const folder of ['dist', 'test/dist', 'libs/core/types', 'libs/studio/assets', ...parts])
  rmSync(path.join(root, folder), { recursive: true, force: true });
