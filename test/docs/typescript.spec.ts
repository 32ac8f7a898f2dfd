import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { itAfterQuick } from '../support/pairs.js';
import { codeBlocks, packageBlocks, readmeBlocks, ROOT, writeBlocks } from './code-blocks.js';

const COMPILE_MS = 240_000;

/** Each block is a file, named in its first line; blocks of one page import one another. */
describe('the TypeScript of the documentation and of the READMEs', () => {
  const ofReadme = readmeBlocks();
  const ofPages = codeBlocks();
  const ofPackages = packageBlocks();
  const blocks = [...ofReadme, ...ofPages, ...ofPackages];
  let folder: string;

  beforeAll(() => {
    folder = writeBlocks(blocks);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has a file name in the first line of each block, once per page', () => {
    expect(ofPages.filter((block) => !block.name).map((block) => block.code)).toEqual([]);
    const names = ofPages.map((block) => `${block.page}/${block.name}`);
    expect(names).toHaveLength(new Set(names).size);
    expect(names).not.toHaveLength(0);
  });

  it('is there, in the README', () => {
    expect(ofReadme.map((block) => String(block.name)).toSorted()).toEqual([
      'app.module.ts',
      'file-changed.ts',
      'leave.service.ts',
      'manager-approval.ts',
    ]);
  });

  it('is there, in the README of each package', () => {
    expect(ofPackages.filter(({ name }) => !name)).toEqual([]);
    expect(ofPackages.map(({ page }) => page).toSorted()).toEqual(
      readdirSync(path.join(ROOT, 'libs'))
        .map((library) => `package-${library}`)
        .toSorted(),
    );
  });

  itAfterQuick(
    'compiles as printed',
    () => {
      const files = blocks.map(({ page, name }) => path.join(folder, page, name ?? 'nameless.ts'));
      const program = ts.createProgram(files, compilerOptions());
      const problems = files.flatMap((file) => {
        const source = program.getSourceFile(file);
        return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      });
      const shown = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics(), ...problems].map(
        ({ file, messageText }) =>
          `${file ? path.relative(folder, file.fileName) : 'all'}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      );
      expect(shown).toEqual([]);
    },
    COMPILE_MS,
  );
});

/** Those of the project, but with the libraries as they are built, if they are: what users of the packages compile against. */
function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.spec.json'), ts.sys.readFile.bind(ts.sys)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const isBuilt = existsSync(path.join(ROOT, 'libs/nestjs/dist/index.d.ts'));
  return { ...options, noEmit: true, ...(isBuilt && { customConditions: [] }) };
}
