// The public surface of each library as a file in the repository, so that a change of it is a change that a review sees.
//
//   npm run api:report     writes libs/*/api.md; needs a build
//   npm run api:check      fails, with the difference, when a file does not agree with what is built, and names what can be
//                          imported without documentation
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { surfacesOf } from './surface.mjs';

const root = path.join(import.meta.dirname, '../..');
const isCheck = process.argv.includes('--check');

const block = (entries, note) => `\`\`\`ts\n${entries.map((entry) => note(entry) + entry.text).join('\n\n')}\n\`\`\`\n`;

function noteOf({ isDocumented, undocumented }) {
  if (!isDocumented) return '// undocumented\n';
  return undocumented.length === 0 ? '' : `// undocumented: ${undocumented.join(', ')}\n`;
}

function section(name, surface) {
  const exported = surface.filter(({ isExported }) => isExported);
  const behind = surface.filter(({ isExported, from }) => !isExported && !from);
  const elsewhere = surface.filter(({ from }) => from).map((entry) => `- \`${entry.name}\` of ${entry.from}`);
  return [
    `## ${name}`,
    `${exported.length} exports.`,
    block(exported, noteOf),
    ...(behind.length > 0 ? ['### Named by exports, not exported', block(behind, () => '')] : []),
    ...(elsewhere.length > 0 ? ['### Named by exports, exported by another entry', elsewhere.join('\n')] : []),
  ];
}

/** Of all entry points of a library. */
function report(name, surfaces) {
  return [
    `# Public surface of ${name}`,
    'Written by `npm run api:report`; `npm run api:check` compares it with the build. Without private and `@internal` members.',
    ...surfaces.flatMap(([entry, surface]) => section(entry, surface)),
  ]
    .map((part) => part.trimEnd())
    .join('\n\n')
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

/** Of each library, its folder and the declaration file of each entry point. */
function librariesOf(folder) {
  const found = new Map();
  for (const library of readdirSync(folder)) {
    const manifest = path.join(folder, library, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name, exports } = JSON.parse(readFileSync(manifest, 'utf8'));
    const entries = Object.entries(exports)
      .filter(([, { types }]) => types)
      .map(([key, { types }]) => [path.posix.join(name, key), path.join(folder, library, types)]);
    found.set(name, { folder: path.join(folder, library), entries });
  }
  return found;
}

const libraries = librariesOf(path.join(root, 'libs'));
const surfaces = surfacesOf(new Map([...libraries.values()].flatMap(({ entries }) => entries)));
const changed = [];
const silent = [];
for (const [name, { folder, entries }] of libraries) {
  const file = path.join(folder, 'api.md');
  const text = report(
    name,
    entries.map(([entry]) => [entry, surfaces.get(entry)]),
  );
  for (const [entry] of entries)
    for (const { name: symbol, isDocumented, isExported, undocumented } of surfaces.get(entry)) {
      if (!isExported) continue;
      if (!isDocumented) silent.push(`${entry}: ${symbol}`);
      silent.push(...undocumented.map((member) => `${entry}: ${symbol}.${member}`));
    }
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
if (silent.length > 0) {
  console.error(`Say what these are, where they are declared:\n${silent.map((line) => `  ${line}\n`).join('')}`);
  if (isCheck) process.exitCode = 1;
}
