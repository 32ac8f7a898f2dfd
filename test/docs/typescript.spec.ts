import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BLOCK = /^```ts\n(.*?)^```$/gms;
const FILE_NAME = /^\/\/ ([\w.-]+\.ts)\n/;
const COMPILE_MS = 240_000;

interface Example {
  readonly page: string;
  readonly name: string | undefined;
  readonly code: string;
}

function examples(): Example[] {
  return readdirSync(path.join(ROOT, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .flatMap((entry) => {
      const text = readFileSync(path.join(entry.parentPath, entry.name), 'utf8');
      const page = path.basename(entry.name, '.md');
      return [...text.matchAll(BLOCK)].map(([, code]) => ({ page, name: FILE_NAME.exec(code!)?.[1], code: code! }));
    });
}

/** Each block is a file, named in its first line; blocks of one page import one another. */
describe('the TypeScript of the documentation', () => {
  const blocks = examples();
  let folder: string;

  beforeAll(() => {
    // Inside the project, so that packages resolve as they do for everything else here.
    mkdirSync(path.join(ROOT, 'test/docs/.tmp'), { recursive: true });
    folder = mkdtempSync(path.join(ROOT, 'test/docs/.tmp/docs-'));
    for (const { page, name, code } of blocks) {
      mkdirSync(path.join(folder, page), { recursive: true });
      writeFileSync(path.join(folder, page, name ?? 'nameless.ts'), code);
    }
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
