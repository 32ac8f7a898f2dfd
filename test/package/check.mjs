// Checks the packages as their users get them: packed, installed, imported and run.
//
//   npm run pack:check                 needs a build
//   npm run pack:check -- --no-run     leaves out the applications that run a workflow, and says so
//   npm run pack:check -- --keep       keeps the temporary folder
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkSecondCopies, runApplication, TSC_6 } from './applications.mjs';
import { checkAddedApplications, checkCreatedApplication } from './created.mjs';
import { checkBuiltImports } from './built-imports.mjs';
import { checkSurvivor, installNode, NODE_VERSIONS } from './node-versions.mjs';
import { checkPnpm } from './pnpm-strict.mjs';
import { checkRecipe, RECIPES } from './recipes.mjs';
import { checkContents, checkPeers, libraries, packAll } from './tarballs.mjs';

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

const [esm, cjs] = ['esm-nest12', 'cjs-nest11'];
const checkApplication = (application, packed, options) =>
  check(`${application}: installs the tarballs, compiles and runs`, () =>
    runApplication(application, folder, packed, { run: !noRun, ...options }),
  );
async function checkRecipes(application) {
  if (noRun) return;
  for (const recipe of RECIPES.filter((each) => each.application === application))
    await check(`${application}: the recipe for ${recipe.name} runs a specification`, () =>
      checkRecipe(recipe, folder),
    );
}

/** What needs the application of NestJS 12, in this order. */
async function checkInEsm(packed) {
  await checkApplication(esm, packed);
  if (!noRun)
    for (const version of [undefined, ...NODE_VERSIONS])
      await check(
        `${esm}: on Node ${version ?? process.version.slice(1)}, a workflow outlives kill -9 of its process`,
        async () => checkSurvivor(esm, folder, version ? await installNode(version, folder) : process.execPath),
      );
  await checkRecipes(esm);
  await check(`${esm}: refuses a second copy of core or runtime`, () => checkSecondCopies(esm, folder));
}

/** What needs that of NestJS 11, which has the command as well. */
async function checkInCjs(packed) {
  await checkApplication(cjs, packed, { compiler: TSC_6 });
  await check(`${cjs}: installs the tarballs by pnpm with strict peers and no hoisting, compiles and runs`, () =>
    checkPnpm(cjs, folder, packed, { run: !noRun }),
  );
  await Promise.all([checkRecipes(cjs), checkCreated()]);
}

async function checkCreated() {
  await check(
    'create-waymark: a new application compiles, passes its tests, takes schematics, starts, answers and shuts down; so do all variants',
    () => checkCreatedApplication(folder, { run: !noRun }),
  );
  await check('create-waymark: added to applications on NestJS 11 and 12, which compile, start and answer', () =>
    checkAddedApplications(folder, { run: !noRun }),
  );
}

try {
  const found = libraries();
  const packed = packAll(found, folder);
  for (const [i, library] of found.entries()) {
    await check(`${library.name}: built files import only what package.json declares`, () =>
      checkBuiltImports(library.folder, library.manifest),
    );
    await check(`${library.name}: shares core and runtime with its application`, () => checkPeers(library));
    // publint, and the types for every resolver: npm run release:dry.
    await check(`${library.name}: tarball`, () => checkContents(packed[i]));
  }
  // Side by side: each of them waits for npm half of its time.
  await Promise.all([checkInEsm(packed), checkInCjs(packed)]);
  if (noRun) console.log(`NOT RUN: the workflows of ${esm} and ${cjs}, other versions of Node, recipes (--no-run)`);
} finally {
  if (keep) console.log(`kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}

console.log(failures === 0 ? '\npack:check passed' : `\npack:check: ${failures} problem(s)`);
process.exitCode = failures === 0 ? 0 : 1;
