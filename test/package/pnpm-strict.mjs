import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hasTurn } from '../../scripts/turns.mjs';
import { execute, prepareApplication } from './applications.mjs';

/** The last line of pnpm that runs on the oldest Node which the packages support. */
export const PNPM = '10.34.9';

/**
 * What makes pnpm strict: each package sees what its manifest declares and nothing else, a peer that is missing or of another
 * version ends the installation, and pnpm adds none by itself.
 */
const SETTINGS = {
  'node-linker': 'isolated',
  'strict-peer-dependencies': true,
  'auto-install-peers': false,
  hoist: false,
  'ignore-scripts': true,
  'prefer-offline': true,
};

/** In CI not in each commit: that a package declares what it imports is seen from its files as well. */
export const isTurnOfPnpm = () => hasTurn('an installation by pnpm');

/** The application, installed by pnpm and not by npm, and compiled. pnpm keeps what it downloads in its store, for the next run. */
export async function preparePnpm(name, into, packed, { run }) {
  const pnpm = await installPnpm(into);
  const install = (folder) => {
    const lines = Object.entries(SETTINGS).map(([setting, value]) => `${setting}=${value}\n`);
    writeFileSync(path.join(folder, '.npmrc'), lines.join(''));
    // Without it, pnpm would take the application for a part of a workspace around it.
    writeFileSync(path.join(folder, 'pnpm-workspace.yaml'), 'packages: []\n');
    // What a tarball itself depends on is a tarball as well, and not yet in a registry.
    const manifest = path.join(folder, 'package.json');
    const overrides = Object.fromEntries(packed.map(({ name: library, file }) => [library, `file:${file}`]));
    writeFileSync(
      manifest,
      JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), pnpm: { overrides } }, null, 2),
    );
    return execute(folder, process.execPath, [pnpm, 'install', '--reporter=append-only']);
  };
  return prepareApplication(name, into, packed, {
    run,
    as: pnpmFolder(name),
    install,
    checkCopies: checkSingleInstances,
  });
}

/** The name of the copy that pnpm has installed. */
export const pnpmFolder = (name) => `${name}-pnpm`;

async function installPnpm(into) {
  const folder = path.join(into, 'pnpm');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { pnpm: PNPM } }));
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const failure = await execute(folder, 'npm', ['install', ...quiet]);
  if (failure) throw new Error(failure);
  return path.join(folder, 'node_modules/pnpm/bin/pnpm.cjs');
}

/** pnpm installs a package once for each set of peers: a second one of these would have other classes, hence other tokens. */
function checkSingleInstances(folder) {
  const places = readdirSync(path.join(folder, 'node_modules/.pnpm'));
  return ['@waymark+core', '@waymark+runtime', '@nestjs+common', '@nestjs+core', 'typeorm']
    .map((name) => ({ name, found: places.filter((place) => place.startsWith(`${name}@`)) }))
    .filter(({ found }) => found.length !== 1)
    .map(({ name, found }) => `${found.length} of ${name}:\n${found.join('\n')}`)
    .join('\n');
}
