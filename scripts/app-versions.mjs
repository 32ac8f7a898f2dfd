// The versions that `npm create waymark` writes into applications are those that this repository is tested with: they are read from
// its own manifest, and for NestJS 11 from the application that the package test installs.
//
//   node scripts/app-versions.mjs            writes libs/create-waymark/src/versions/versions.ts; part of the build
//   node scripts/app-versions.mjs --check    fails when the file does not agree
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const file = path.join(root, 'libs/create-waymark/src/versions/versions.ts');
const manifestOf = (folder) => JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
const own = manifestOf('.');
const nest11 = manifestOf('test/package/apps/cjs-nest11');

const PACKAGES = [
  '@jest/globals',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/event-emitter',
  '@nestjs/platform-express',
  '@nestjs/platform-fastify',
  '@nestjs/schedule',
  '@nestjs/testing',
  '@swc/core',
  '@swc/jest',
  '@types/jest',
  '@types/node',
  'better-sqlite3',
  'jest',
  'mysql2',
  'pg',
  'reflect-metadata',
  'rxjs',
  'typeorm',
  'typescript',
];
const OF_NEST = ['@nestjs/event-emitter', '@nestjs/schedule'];

function pick(manifest, names) {
  const known = { ...manifest.devDependencies, ...manifest.dependencies };
  const missing = names.filter((name) => !known[name]);
  if (missing.length > 0) throw new Error(`${manifest.name} does not depend on ${missing.join(', ')}`);
  return names.map((name) => `  ${/^[a-z]\w*$/.test(name) ? name : `'${name}'`}: '${known[name]}',`).join('\n');
}

/** What our packages accept of others, by package: every range that one of them names. */
function accepted() {
  const ranges = new Map();
  for (const library of readdirSync(path.join(root, 'libs')).toSorted()) {
    for (const [name, range] of Object.entries(manifestOf(`libs/${library}`).peerDependencies ?? {}))
      if (!name.startsWith('@waymark/')) ranges.set(name, new Set(ranges.get(name)).add(range));
  }
  return [...ranges]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, of]) =>
        `  ${/^[a-z]\w*$/.test(name) ? name : `'${name}'`}: [${[...of].map((r) => `'${r}'`).join(', ')}],`,
    )
    .join('\n');
}

const text = `// Written by scripts/app-versions.mjs from the manifest of the repository; part of the build.

/** Version of all packages of Waymark. */
export const WAYMARK_VERSION = '${own.version}';

/** Packages of others in the versions that Waymark is tested with. */
export const VERSIONS = {
${pick(own, PACKAGES)}
} as const;

/** What differs for an application on NestJS 11. */
export const NEST_11_VERSIONS = {
${pick(nest11, OF_NEST)}
} as const;

/** Versions that Waymark's packages accept of the packages of an application, as ranges that all have to hold. */
export const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
${accepted()}
};
`;

const current = (() => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
})();
if (process.argv.includes('--check')) {
  if (current !== text) {
    console.error('libs/create-waymark/src/versions/versions.ts does not agree with package.json: npm run build');
    process.exitCode = 1;
  }
} else if (current !== text) writeFileSync(file, text);
