// Checks the packages as their users get them: packed, installed, imported and run.
//
//   npm run pack:check                 needs a build
//   npm run pack:check -- --no-run     leaves out the applications that run a workflow, and says so
//   npm run pack:check -- --keep       keeps the temporary folder
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkSecondCopies, runApplication } from './applications.mjs';
import { checkAddedApplication, checkCreatedApplication } from './created.mjs';
import { checkBuiltImports } from './built-imports.mjs';
import { checkSurvivor, installNode, NODE_VERSIONS } from './node-versions.mjs';
import { checkPnpm } from './pnpm-strict.mjs';
import { checkRecipe, RECIPES } from './recipes.mjs';
import { checkContents, checkPeers, libraries, pack } from './tarballs.mjs';

const noRun = process.argv.includes('--no-run');
const keep = process.argv.includes('--keep');
const folder = mkdtempSync(path.join(os.tmpdir(), 'waymark-pack-'));
let failures = 0;

async function check(name, body) {
  const startedAt = performance.now();
  let problems;
  try {
    problems = await body();
  } catch (error) {
    problems = [error.stack ?? String(error)];
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  for (const problem of problems) console.log(`       ${problem.replaceAll('\n', '\n       ')}`);
  failures += problems.length;
}

try {
  const packed = [];
  for (const library of libraries()) {
    await check(`${library.name}: built files import only what package.json declares`, () =>
      checkBuiltImports(library.folder, library.manifest),
    );
    await check(`${library.name}: shares core and runtime with its application`, () => checkPeers(library));
    await check(`${library.name}: tarball`, () => {
      const tarball = pack(library, folder);
      packed.push(tarball);
      // publint, and the types for every resolver: npm run release:dry.
      return checkContents(tarball);
    });
  }

  const applications = ['esm-nest12', 'cjs-nest11'];
  for (const application of applications) {
    await check(`${application}: installs the tarballs, compiles and runs`, () =>
      runApplication(application, folder, packed, { run: !noRun }),
    );
  }
  await check('cjs-nest11: installs the tarballs by pnpm with strict peers and no hoisting, compiles and runs', () =>
    checkPnpm('cjs-nest11', folder, packed, { run: !noRun }),
  );
  if (!noRun) {
    for (const version of [undefined, ...NODE_VERSIONS])
      await check(
        `esm-nest12: on Node ${version ?? process.version.slice(1)}, a workflow outlives kill -9 of its process`,
        () => checkSurvivor('esm-nest12', folder, version ? installNode(version, folder) : process.execPath),
      );
    for (const recipe of RECIPES)
      await check(`${recipe.application}: the recipe for ${recipe.name} runs a specification`, () =>
        checkRecipe(recipe, folder),
      );
  }
  await check('esm-nest12: refuses a second copy of core or runtime', () => checkSecondCopies('esm-nest12', folder));
  await check(
    'create-waymark: a new application compiles, passes its tests, takes schematics, starts and answers',
    () => checkCreatedApplication(folder, { run: !noRun }),
  );
  await check('create-waymark: added to an application on NestJS 11, which compiles, starts and answers', () =>
    checkAddedApplication(folder, { run: !noRun }),
  );
  if (noRun)
    console.log(`NOT RUN: the workflows of ${applications.join(' and ')}, other versions of Node, recipes (--no-run)`);
} finally {
  if (keep) console.log(`kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}

console.log(failures === 0 ? '\npack:check passed' : `\npack:check: ${failures} problem(s)`);
process.exitCode = failures === 0 ? 0 : 1;
