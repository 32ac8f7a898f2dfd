import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { typescriptOf } from './typescript-of.js';

/** From this version on, every way to resolve modules that is not named in the settings reads `exports`. */
const READS_EXPORTS_BY_DEFAULT = 6;

/**
 * Whether TypeScript finds packages with `exports` in an application, as its `tsconfig.json` is. Without a file, or with one that
 * cannot be read, the answer is true: the compiler says more about that than this could.
 */
export function readsPackageExports(folder: string): boolean {
  const compiler = typescriptOf(folder);
  const file = path.join(folder, 'tsconfig.json');
  if (!compiler || !existsSync(file)) return true;
  const { config, error } = compiler.readConfigFile(file, (name) => readFileSync(name, 'utf8'));
  if (error) return true;
  const { options } = compiler.parseJsonConfigFileContent(config, compiler.sys, folder);
  const { Classic, Node10 } = compiler.ModuleResolutionKind;
  if (options.moduleResolution !== undefined)
    return options.moduleResolution !== Classic && options.moduleResolution !== Node10;
  const { module = compiler.ModuleKind.CommonJS } = options;
  return module >= compiler.ModuleKind.Node16 || Number(compiler.version.split('.')[0]) >= READS_EXPORTS_BY_DEFAULT;
}
