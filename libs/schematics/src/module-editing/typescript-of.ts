import { createRequire } from 'node:module';
import path from 'node:path';

/** The compiler as a library. */
export type TypeScript = typeof import('typescript');

/**
 * The TypeScript of an application, or else the one that its Nest CLI brings; `undefined` if neither is installed, or if it is a
 * version without the compiler API. It is loaded from there because it is large, and every Nest application has it.
 */
export function typescriptOf(folder: string): TypeScript | undefined {
  const requireHere = createRequire(path.join(path.resolve(folder), 'package.json'));
  return loadedBy(() => requireHere) ?? loadedBy(() => createRequire(requireHere.resolve('@nestjs/cli/package.json')));
}

function loadedBy(requireOf: () => NodeJS.Require): TypeScript | undefined {
  try {
    const loaded = requireOf()('typescript') as Partial<TypeScript>;
    const isCompiler = typeof loaded.createSourceFile === 'function' && typeof loaded.transpileModule === 'function';
    return isCompiler ? (loaded as TypeScript) : undefined;
  } catch {
    // Not installed there.
    return undefined;
  }
}
