import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addClassToModule, findRootModule } from './application-modules.js';

const NO_COMPILER = 'neither TypeScript 5 nor 6 is installed in that folder (version 7 has no compiler API)';
const COMPILER = path.join(import.meta.dirname, '../../../../node_modules/typescript');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'waymark-schematics-'));
  mkdirSync(path.join(folder, 'src'));
  mkdirSync(path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'src/app.module.ts'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const withCompiler = () => symlinkSync(COMPILER, path.join(folder, 'node_modules/typescript'));
const entry = (text: string) => writeFileSync(path.join(folder, 'src/main.ts'), text);

describe('the root module of an application', () => {
  it.each([
    ["import { AppModule } from './app.module.js';\nawait NestFactory.create(AppModule);"],
    [
      "import { AppModule } from './app.module';\nasync function bootstrap() {\n  const app = await NestFactory.create<X>(AppModule, new FastifyAdapter());\n}",
    ],
    ["import { AppModule as Root } from './app.module';\nvoid NestFactory.createApplicationContext(Root);"],
  ])('is found by what the application starts: %#', (text) => {
    withCompiler();
    entry(text);
    expect(findRootModule(folder, 'src/main.ts')).toEqual({ file: path.join('src', 'app.module.ts') });
  });

  it.each([
    ['there is no src/main.ts', undefined],
    ['src/main.ts does not call NestFactory.create() with the name of a module', 'start();'],
    ['src/main.ts does not call NestFactory.create() with the name of a module', 'NestFactory.create(A.forRoot());'],
    ['src/main.ts starts several modules', 'NestFactory.create(A); NestFactory.create(B);'],
    ['src/main.ts does not import A from a file of the application', "import { A } from 'a';\nNestFactory.create(A);"],
    [`there is no ${path.join('src', 'a.ts')}`, "import { A } from './a.js';\nNestFactory.create(A);"],
  ])('is not known when %s', (problem, text) => {
    withCompiler();
    if (text !== undefined) entry(text);
    expect(findRootModule(folder, 'src/main.ts')).toEqual({ problem });
  });

  it('is not looked for without the TypeScript of the application', () => {
    const problem = NO_COMPILER;
    expect(findRootModule(folder, 'src/main.ts')).toEqual({ problem });
    expect(addClassToModule(folder, '', { list: 'imports', className: 'A', from: './a' })).toEqual({ problem });
  });

  it('is not looked for with a TypeScript that has no compiler API', () => {
    mkdirSync(path.join(folder, 'node_modules/typescript'));
    writeFileSync(path.join(folder, 'node_modules/typescript/index.js'), 'module.exports = { version: "7.0.0" };');
    expect(findRootModule(folder, 'src/main.ts')).toEqual({ problem: NO_COMPILER });
  });
});
