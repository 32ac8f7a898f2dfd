import path from 'node:path';
import { runApplication } from './applications.mjs';
import { runAddedApplications, runCreatedApplication } from './created.mjs';
import { checkSurvivor, NODE_VERSIONS, nodeProgram } from './node-versions.mjs';
import { isTurnOfPnpm, pnpmFolder } from './pnpm-strict.mjs';
import { CJS, ESM } from './prepare.mjs';
import { recipesOf, runRecipe } from './recipes.mjs';

/** Runs what `prepare` has compiled in that folder. @param check reports a check by its name and the problems that it answers with */
export const runAll = (folder, check) =>
  // Side by side: one of them is started while the other one ends.
  Promise.all([runEsm(folder, check), runCjs(folder, check)]);

const applicationRuns = (name, folder, check) => check(`${name}: runs`, () => runApplication(path.join(folder, name)));

async function recipesRun(application, folder, check) {
  for (const recipe of recipesOf(application))
    await check(`${application}: the recipe for ${recipe.name} runs a specification`, () => runRecipe(recipe, folder));
}

async function runEsm(folder, check) {
  await applicationRuns(ESM, folder, check);
  for (const version of [undefined, ...NODE_VERSIONS])
    await check(
      `${ESM}: on Node ${version ?? process.version.slice(1)}, a workflow outlives kill -9 of its process`,
      () => checkSurvivor(ESM, folder, version ? nodeProgram(version, folder) : process.execPath),
    );
  await recipesRun(ESM, folder, check);
  await check('create-waymark: added applications start and answer', () => runAddedApplications(folder));
}

async function runCjs(folder, check) {
  await applicationRuns(CJS, folder, check);
  if (isTurnOfPnpm()) await applicationRuns(pnpmFolder(CJS), folder, check);
  await recipesRun(CJS, folder, check);
  await check(
    'create-waymark: a new application passes its tests, starts, answers and shuts down; so do variants',
    () => runCreatedApplication(folder),
  );
}
