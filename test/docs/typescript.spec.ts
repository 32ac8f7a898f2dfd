import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { codeBlocks, ROOT, writeBlocks } from './code-blocks.js';

const COMPILE_MS = 240_000;

/** Each block is a file, named in its first line; blocks of one page import one another. */
describe('the TypeScript of the documentation', () => {
  const blocks = codeBlocks();
  let folder: string;

  beforeAll(() => {
    folder = writeBlocks(blocks);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has a file name in the first line of each block, once per page', () => {
    expect(blocks.filter((block) => !block.name).map((block) => block.code)).toEqual([]);
    const names = blocks.map((block) => `${block.page}/${block.name}`);
    expect(names).toHaveLength(new Set(names).size);
    expect(names).not.toHaveLength(0);
  });

  it(
    'compiles as printed',
    () => {
      const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.spec.json'), ts.sys.readFile.bind(ts.sys)) as {
        config: object;
      };
      const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
      const files = blocks.map(({ page, name }) => path.join(folder, page, name ?? 'nameless.ts'));
      const program = ts.createProgram(files, { ...options, noEmit: true });
      const problems = ts.getPreEmitDiagnostics(program).filter((d) => d.file?.fileName.startsWith(folder));
      const shown = problems.map(
        (d) => `${path.relative(folder, d.file!.fileName)}: ${ts.flattenDiagnosticMessageText(d.messageText, '\n')}`,
      );
      expect(shown).toEqual([]);
    },
    COMPILE_MS,
  );
});
