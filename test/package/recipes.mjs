import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { APPLICATIONS, execute } from './applications.mjs';
import { inTurn } from '../../scripts/turns.mjs';
import { root } from './tarballs.mjs';

/** Each recipe of the documentation for tests, below an application that has the tarballs: its packages are found from there. */
const RECIPES = [
  {
    name: 'jest-29',
    application: 'cjs-nest11',
    page: 'docs/testing.md',
    config: 'jest.config.js',
    packages: { jest: '29.7.0' },
    run: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
  },
  {
    name: 'jest-30',
    application: 'cjs-nest11',
    page: 'docs/testing.md',
    config: 'jest.config.js',
    packages: { jest: '30.5.2' },
    run: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
  },
  {
    name: 'vitest',
    application: 'esm-nest12',
    page: 'docs/testing.md',
    config: 'vitest.config.js',
    packages: { vitest: '4.1.12' },
    run: ['node_modules/vitest/vitest.mjs', 'run'],
  },
];

/** Those below that application. In CI one of all has its turn: each has an installation of its own. */
export const recipesOf = (application) =>
  inTurn(RECIPES, RECIPES.length).filter((each) => each.application === application);

/** What the page prints under that file name. */
function printed(page, file) {
  const text = readFileSync(path.join(root, page), 'utf8');
  const found = [...text.matchAll(/^```js\n(.*?)^```$/gms)].find(([, code]) => code.startsWith(`// ${file}\n`));
  if (!found) throw new Error(`${page} has no ${file}`);
  return found[1];
}

/** What the repository has in that very version is used from there. */
function install(folder, packages) {
  const own = Object.entries(packages).filter(([name, version]) => versionOf(name) === version);
  if (own.length === Object.keys(packages).length) {
    mkdirSync(path.join(folder, 'node_modules'));
    for (const [name] of own)
      symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name), 'junction');
    return undefined;
  }
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  return execute(folder, 'npm', ['install', ...quiet]);
}

function versionOf(name) {
  const manifest = path.join(root, 'node_modules', name, 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}

const folderOf = ({ name, application }, into) => path.join(into, application, name);

/** A specification in the folder of the application, with what the page says that it needs. @returns the problems */
export async function prepareRecipe(recipe, into) {
  const { application, page, config, packages } = recipe;
  const folder = folderOf(recipe, into);
  mkdirSync(folder, { recursive: true });
  const spec = readFileSync(path.join(APPLICATIONS, 'recipes/approval.spec.ts'), 'utf8');
  writeFileSync(path.join(folder, 'approval.spec.ts'), spec.replace('../cjs-nest11/src/', './'));
  cpSync(path.join(APPLICATIONS, application, 'src/approval.ts'), path.join(folder, 'approval.ts'));
  // Recipes are written for ES modules; an application of CommonJS calls the file .mjs.
  writeFileSync(path.join(folder, config.replace('.js', '.mjs')), printed(page, config));
  // Vitest decides by it what becomes of decorators.
  const compiler = { extends: '../tsconfig.json', compilerOptions: { rootDir: '.' }, include: ['*.ts'] };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(compiler));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  const failure = await install(folder, packages);
  if (failure) return [failure];
  // 30 MB, which the repository has.
  symlinkSync(path.join(root, 'node_modules/@swc'), path.join(folder, 'node_modules/@swc'), 'junction');
  return [];
}

/** Runs it as the page says. */
export async function runRecipe(recipe, into) {
  const { run } = recipe;
  const folder = folderOf(recipe, into);
  const problem = await execute(folder, process.execPath, run);
  rmSync(path.join(folder, 'node_modules'), { recursive: true });
  return problem ? [problem] : [];
}
