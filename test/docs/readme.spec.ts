import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BLOCK = /```ts readme\/(\S+)\n([\s\S]*?)```/g;
const COMPILE_MS = 120_000;

describe('the code in the README', () => {
  const blocks = [...readFileSync(path.join(ROOT, 'README.md'), 'utf8').matchAll(BLOCK)].map(([, name, code]) => ({
    name: name!,
    code: code!,
  }));
  let folder: string;

  beforeAll(() => {
    // Inside the project, so that packages resolve as they do for everything else here.
    mkdirSync(path.join(ROOT, 'test/docs/.tmp'), { recursive: true });
    folder = mkdtempSync(path.join(ROOT, 'test/docs/.tmp/readme-'));
    for (const { name, code } of blocks) writeFileSync(path.join(folder, name), code);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is there', () => {
    expect(blocks.map((b) => b.name).toSorted()).toEqual([
      'app.module.ts',
      'file-changed.ts',
      'leave.service.ts',
      'manager-approval.ts',
    ]);
  });

  it(
    'compiles as printed',
    () => {
      const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.spec.json'), ts.sys.readFile.bind(ts.sys)) as {
        config: object;
      };
      const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
      const program = ts.createProgram(
        blocks.map((b) => path.join(folder, b.name)),
        { ...options, noEmit: true },
      );
      const problems = ts.getPreEmitDiagnostics(program).filter((d) => d.file?.fileName.startsWith(folder));
      expect(problems.map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n'))).toEqual([]);
    },
    COMPILE_MS,
  );
});
