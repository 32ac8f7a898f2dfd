import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { checkSecondCopies, prepareApplication, TSC_6 } from './applications.mjs';
import { checkBuiltImports } from './built-imports.mjs';
import { prepareAddedApplications, prepareCreatedApplication } from './created.mjs';
import { installNode, NODE_VERSIONS } from './node-versions.mjs';
import { isTurnOfPnpm, preparePnpm } from './pnpm-strict.mjs';
import { prepareRecipe, recipesOf } from './recipes.mjs';
import { checkContents, checkPeers, libraries, packAll } from './tarballs.mjs';

/** The applications of NestJS 12 and 11. */
export const [ESM, CJS] = ['esm-nest12', 'cjs-nest11'];

/**
 * Packs the libraries into the folder, and installs and compiles there all that is to be run. Nothing in it has a time to answer in.
 * @param noRun nothing is to be run: the applications have no sources of their own, and there are no recipes
 * @param check reports a check by its name and the problems that it answers with
 */
export async function prepare(folder, { noRun, check }) {
  mkdirSync(folder, { recursive: true });
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
  const within = { folder, packed, noRun, check };
  // Side by side: each of them waits for npm half of its time.
  const esm = installEsm(within);
  await Promise.all([esm.then(() => prepareEsm(within)), prepareCjs(within, esm)]);
}

async function installEsm({ folder, packed, noRun, check }) {
  await check(`${ESM}: installs the tarballs and compiles`, () =>
    prepareApplication(ESM, folder, packed, { run: !noRun }),
  );
  await check(`${ESM}: refuses a second copy of core or runtime`, () => checkSecondCopies(ESM, folder));
}

/** What needs the application of NestJS 12. */
async function prepareEsm({ folder, noRun, check }) {
  if (noRun) return;
  for (const version of NODE_VERSIONS)
    await check(`Node ${version} is installed from npm`, () => installNode(version, folder));
  await prepareRecipes(ESM, folder, check);
}

/**
 * What needs that of NestJS 11, which has the command as well.
 * @param esm ends when that of NestJS 12 is installed: a new application takes its packages
 */
async function prepareCjs({ folder, packed, noRun, check }, esm) {
  await check(`${CJS}: installs the tarballs and compiles, by \`exports\` and without`, () =>
    prepareApplication(CJS, folder, packed, { run: !noRun, compiler: TSC_6 }),
  );
  if (isTurnOfPnpm())
    await check(`${CJS}: installs the tarballs by pnpm with strict peers and no hoisting, and compiles`, () =>
      preparePnpm(CJS, folder, packed, { run: !noRun }),
    );
  const created = esm.then(() => prepareCreated(folder, noRun, check));
  await Promise.all([...(noRun ? [] : [prepareRecipes(CJS, folder, check)]), created]);
}

async function prepareRecipes(application, folder, check) {
  for (const recipe of recipesOf(application))
    await check(`${application}: what the recipe for ${recipe.name} needs is installed`, () =>
      prepareRecipe(recipe, folder),
    );
}

async function prepareCreated(folder, noRun, check) {
  await check('create-waymark: a new application takes a schematic and compiles; so do variants', () =>
    prepareCreatedApplication(folder, path.join(folder, ESM), noRun),
  );
  await check('create-waymark: added to applications on NestJS 11 and 12, which compile', () =>
    prepareAddedApplications(folder),
  );
}
