import 'reflect-metadata';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { IWorkflowRuntime, WorkflowModule } from '@waymark/nestjs';
import { VirtualClock, WorkflowTestBed } from '@waymark/testing';
import { packageBlocks, ROOT, runSpecsOf, writeBlocks } from './code-blocks.js';

await runSpecsOf('package-testing');

it.each([
  ['expressions', 'greeting.workflow.ts', 'Greeting', ['Hello, Ann!', 'Goodbye, ANN!']],
  ['nestjs', 'app.module.ts', 'Hello', ['Hello from a workflow.']],
  ['scheduling', 'nightly.workflow.ts', 'Nightly', ['Good night.']],
])('the workflow in the README of %s works as described', async (library, file, name, expected) => {
  const folder = writeBlocks(packageBlocks());
  const lines: string[] = [];
  try {
    const page = (await import(path.join(folder, `package-${library}`, file))) as Record<string, Type>;
    const options = { writeLine: (text: string) => lines.push(text) };
    const builder = Test.createTestingModule({ imports: [WorkflowModule.forRoot(options)], providers: [page[name]!] });
    const bed = await WorkflowTestBed.init(builder, { clock: new VirtualClock() });
    if (library === 'scheduling') await bed.advance(24 * 3_600_000);
    else {
      const client = await bed.get(IWorkflowRuntime).createClient();
      await client.createAndRunInstance({ definition: name.toLowerCase() });
    }
    await bed.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  expect(lines).toEqual(expected);
});

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const manifests = readdirSync(path.join(ROOT, 'libs')).map(
  (library) => JSON.parse(readFileSync(path.join(ROOT, 'libs', library, 'package.json'), 'utf8')) as Manifest,
);
/** What every Nest application and its tests have. */
const PRESENT = /^(@nestjs\/(common|core|testing)|reflect-metadata|rxjs|@jest\/globals|node:.*)$/;

/** Packages that the application must have for that one: its peers, those of its dependencies, and theirs. */
function needsOf(name: string, found = new Set<string>()): Set<string> {
  const manifest = manifests.find((candidate) => candidate.name === name);
  for (const peer of Object.keys(manifest?.peerDependencies ?? {})) {
    if (manifest?.peerDependenciesMeta?.[peer]?.optional || PRESENT.test(peer) || found.has(peer)) continue;
    found.add(peer);
    needsOf(peer, found);
  }
  for (const dependency of Object.keys(manifest?.dependencies ?? {})) needsOf(dependency, found);
  return found;
}

/** What `@waymark/nestjs` brings, and exports for users. */
const frontDoor = new Set(
  Object.keys(manifests.find(({ name }) => name === '@waymark/nestjs')!.dependencies!).filter((name) =>
    name.startsWith('@waymark/'),
  ),
);

/** `npm create` runs that one, and applications do not install it. */
const installable = manifests.filter(({ name }) => name !== 'create-waymark');

it.each(installable.map(({ name }) => name))('the install lines of %s have all that its example needs', (name) => {
  const readme = readFileSync(path.join(ROOT, 'libs', name.replace('@waymark/', ''), 'README.md'), 'utf8');
  const lines = [...readme.matchAll(/^npm install (?:--save-dev )?(.+)$/gm)].flatMap(([, names]) => names!.split(' '));
  const imported = [...readme.matchAll(/ from '([^.'][^']*)';$/gm)].map(([, specifier]) => specifier!);
  const own = frontDoor.has(name) ? [] : [name];
  const needed = new Set([...own, ...imported].filter((specifier) => !PRESENT.test(specifier)));
  for (const each of [...needed]) for (const need of needsOf(each)) needed.add(need);
  expect(new Set(lines)).toEqual(needed);
});

const readmeOf = (name: string) =>
  readFileSync(path.join(ROOT, 'libs', name.replace('@waymark/', ''), 'README.md'), 'utf8');

it.each(manifests.filter((manifest) => manifest.exports?.['./adapter']).map(({ name }) => name))(
  'the README of %s says what its entry for adapters is for',
  (name) => expect(readmeOf(name)).toContain(`\`${name}/adapter\` has `),
);

it.each([...frontDoor])('the README of %s sends applications to the front door', (name) => {
  expect(readmeOf(name)).toMatch(/applications\s+import\s+\w+(\s+\w+)?\s+from\s+there/);
  expect(readmeOf(name)).not.toMatch(new RegExp(`from '${name}'`));
});
