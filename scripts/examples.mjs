// The applications in examples/, with the packages of this repository as they are built.
//
//   npm run examples     compiles them, runs their tests, and the commands of their READMEs; needs a build
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TSC } from './compiler.mjs';
import { readmeProblems } from './example-readme.mjs';
import { inTurn } from './turns.mjs';

/** In CI, so many commits follow all READMEs: each starts a server. The tests of all are run in each. */
const README_TURNS = 2;

const root = path.join(import.meta.dirname, '..');
const examples = readdirSync(path.join(root, 'examples')).filter((name) =>
  existsSync(path.join(root, 'examples', name, 'package.json')),
);
const manifestOf = (...folder) => JSON.parse(readFileSync(path.join(root, ...folder, 'package.json'), 'utf8'));
const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;

/** They resolve from the repository, so that what they name must be what is there. */
function otherVersions() {
  const { dependencies, devDependencies } = manifestOf('.');
  const own = { ...devDependencies, ...dependencies };
  return examples.flatMap((name) => {
    const manifest = manifestOf('examples', name);
    return Object.entries({ ...manifest.devDependencies, ...manifest.dependencies })
      .filter(([dependency, version]) => own[dependency] !== version)
      .map(([dependency, version]) => `${name}: ${dependency} ${version}, but the repository has ${own[dependency]}`);
  });
}

const problems = otherVersions();
for (const problem of problems) console.error(problem);
const tests = examples.map((name) => path.join('examples', name, 'dist/workflow.test.js'));
const isFine = examples.length > 0 && problems.length === 0 && run(TSC, '-b', 'examples') && run('--test', ...tests);
process.exitCode = isFine ? 0 : 1;

if (isFine)
  for (const name of inTurn(examples, README_TURNS)) {
    const found = await readmeProblems(path.join(root, 'examples', name));
    console.log(`${found.length === 0 ? 'ok    ' : 'FAILED'} the commands in the README of ${name}`);
    for (const problem of found) console.error(problem);
    if (found.length > 0) process.exitCode = 1;
  }
