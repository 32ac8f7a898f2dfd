import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const NAME = 'virtual:script-libraries';
/** What QuickJS runs. */
const FIRST = 'lib.es2023.d.ts';

/** Declarations of the language without those of a browser, each with the files that it refers to. */
export function readLibraries(): Record<string, string> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('typescript'));
  const found: Record<string, string> = {};
  const read = (name: string) => {
    if (name in found) return;
    const text = readFileSync(path.join(folder, name), 'utf8');
    found[name] = text.replace(/^\/\*![\s\S]*?\*\/\s*/, '');
    for (const [, lib] of text.matchAll(/^\/\/\/ <reference lib="([^"]+)"/gm)) read(`lib.${lib}.d.ts`);
  };
  read(FIRST);
  return found;
}

/** They are files of TypeScript's package; in a bundle there is no folder to read them from. */
export const scriptLibraries = (): Plugin => ({
  name: 'script-libraries',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) => (id === `\0${NAME}` ? `export default ${JSON.stringify(readLibraries())};` : undefined),
});
