// The public surface of each library as a file in the repository, so that a change of it is a change that a review sees.
//
//   npm run api:report     writes libs/*/api.md; needs a build
//   npm run api:check      fails, with the difference, when a file does not agree with what is built
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { surfacesOf } from './surface.mjs';

const root = path.join(import.meta.dirname, '../..');
const isCheck = process.argv.includes('--check');

const block = (entries, note) => `\`\`\`ts\n${entries.map((entry) => note(entry) + entry.text).join('\n\n')}\n\`\`\`\n`;

function report(name, surface) {
  const exported = surface.filter(({ isExported }) => isExported);
  const behind = surface.filter(({ isExported }) => !isExported);
  const undocumented = exported.filter(({ isDocumented }) => !isDocumented).length;
  return [
    `# Public surface of ${name}`,
    'Written by `npm run api:report`; `npm run api:check` compares it with the build. Without private members.',
    `${exported.length} exports, ${undocumented} of them without documentation.`,
    block(exported, ({ isDocumented }) => (isDocumented ? '' : '// undocumented\n')),
    ...(behind.length > 0 ? ['## Named by exports, not exported', block(behind, () => '')] : []),
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

/** Of the file as it is to what is built; a unified difference where Git is installed. */
function differenceOf(file, expected) {
  if (!existsSync(file)) return `${path.relative(root, file)} is missing\n`;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'waymark-api-'));
  try {
    const built = path.join(folder, path.basename(file));
    writeFileSync(built, expected);
    const args = ['diff', '--no-index', '--no-color', '--unified=2', path.relative(root, file), built];
    return spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout || `${path.relative(root, file)} differs\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const libraries = new Map();
for (const name of readdirSync(path.join(root, 'libs'))) {
  const folder = path.join(root, 'libs', name);
  const manifest = path.join(folder, 'package.json');
  if (existsSync(manifest)) libraries.set(JSON.parse(readFileSync(manifest, 'utf8')).name, folder);
}

const changed = [];
for (const [name, surface] of surfacesOf(libraries)) {
  const file = path.join(libraries.get(name), 'api.md');
  const text = report(name, surface);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  changed.push(name);
  if (isCheck) console.error(differenceOf(file, text));
  else writeFileSync(file, text);
}

if (!isCheck)
  console.log(`api:report: ${changed.length === 0 ? 'nothing has changed' : `wrote ${changed.join(', ')}`}`);
else if (changed.length === 0) console.log(`api:check: ${libraries.size} packages agree with their api.md`);
else {
  console.error(
    `The public surface of ${changed.join(', ')} has changed. If you mean it, run "npm run api:report", commit libs/*/api.md, ` +
      'and say in CHANGELOG.md what users notice.',
  );
  process.exitCode = 1;
}
