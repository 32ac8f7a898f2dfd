import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll } from '@jest/globals';

export const ROOT = path.resolve(import.meta.dirname, '../..');
/** The name of its tab may stand behind the language. */
const BLOCK = /^```ts(?: \[TypeScript\])?\n(.*?)^```$/gms;
const FILE_NAME = /^\/\/ ([\w.-]+\.ts)\n/;
/** In the README the name stands behind the language, where a reader does not see it. */
const README_BLOCK = /^```ts readme\/(\S+)\n(.*?)^```$/gms;

/** A TypeScript block of the documentation: a file, named in its first line. */
export interface CodeBlock {
  readonly page: string;
  readonly name: string | undefined;
  readonly code: string;
}

/** Those of the README. */
export function readmeBlocks(): CodeBlock[] {
  const text = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  return [...text.matchAll(README_BLOCK)].map(([, name, code]) => ({ page: 'README', name, code: code! }));
}

/** Those of the packages: the page of `libs/core/README.md` is `package-core`. */
export function packageBlocks(): CodeBlock[] {
  const libraries = path.join(ROOT, 'libs');
  return readdirSync(libraries).flatMap((library) => {
    const text = readFileSync(path.join(libraries, library, 'README.md'), 'utf8');
    return [...text.matchAll(BLOCK)].map(([, code]) => ({
      page: `package-${library}`,
      name: FILE_NAME.exec(code!)?.[1],
      code: code!,
    }));
  });
}

/** Those of all pages. */
export function codeBlocks(): CodeBlock[] {
  return (
    readdirSync(path.join(ROOT, 'docs'), { recursive: true, withFileTypes: true })
      // The site's own packages lie below as well.
      .filter((entry) => entry.isFile() && entry.name.endsWith('.md') && !entry.parentPath.includes('node_modules'))
      .flatMap((entry) => {
        const text = readFileSync(path.join(entry.parentPath, entry.name), 'utf8');
        const page = path.basename(entry.name, '.md');
        return [...text.matchAll(BLOCK)].map(([, code]) => ({ page, name: FILE_NAME.exec(code!)?.[1], code: code! }));
      })
  );
}

/** Writes them, one folder per page, inside the project: packages resolve as they do for everything else here. */
export function writeBlocks(blocks: readonly CodeBlock[]): string {
  mkdirSync(path.join(ROOT, 'test/docs/.tmp'), { recursive: true });
  const folder = mkdtempSync(path.join(ROOT, 'test/docs/.tmp/docs-'));
  for (const { page, name, code } of blocks) {
    mkdirSync(path.join(folder, page), { recursive: true });
    writeFileSync(path.join(folder, page, name ?? 'nameless.ts'), code);
  }
  return folder;
}

/** Runs the specifications of a page as tests of the file that calls it, at its top. */
export async function runSpecsOf(page: string): Promise<void> {
  const blocks = [...codeBlocks(), ...packageBlocks()].filter((block) => block.page === page);
  const specs = blocks.filter(({ name }) => name?.endsWith('.spec.ts'));
  if (specs.length === 0) throw new Error(`The page ${page} has no specification.`);
  const folder = writeBlocks(blocks);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  afterAll(remove);
  try {
    for (const { name } of specs) await import(path.join(folder, page, name!));
  } catch (error) {
    // Without tests there is no end of them.
    remove();
    throw error;
  }
}
