import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type ts from 'typescript';
import { addToModule } from './add-to-module.js';
import type { ModuleAddition, ModuleEdit } from './module-addition.js';
import { importedNames } from './module-class.js';
import { type TypeScript, typescriptOf } from './typescript-of.js';

/** Also with version 7, which compiles and has no API to read a module by. */
const NO_COMPILER = 'neither TypeScript 5 nor 6 is installed in that folder (version 7 has no compiler API)';
/** Of Nest: what makes an application of a module. */
const STARTS = new Set(['create', 'createMicroservice', 'createApplicationContext']);

/**
 * Adds a class to a list of the `@Module()` in a text, with the TypeScript of the application in `folder`. Everything else stays as it
 * is; what is not understood is a `problem`.
 */
export function addClassToModule(folder: string, text: string, addition: ModuleAddition): ModuleEdit {
  const compiler = typescriptOf(folder);
  return compiler ? addToModule(compiler, text, addition) : { problem: NO_COMPILER };
}

/**
 * The file of the module that `NestFactory.create()` gets in `entryFile`, or a sentence on why that is not known.
 * @param entryFile such as `src/main.ts`, below `folder`
 */
export function findRootModule(
  folder: string,
  entryFile: string,
): { readonly file: string } | { readonly problem: string } {
  const compiler = typescriptOf(folder);
  if (!compiler) return { problem: NO_COMPILER };
  const entry = path.join(folder, entryFile);
  if (!existsSync(entry)) return { problem: `there is no ${entryFile}` };
  const source = compiler.createSourceFile(entry, readFileSync(entry, 'utf8'), compiler.ScriptTarget.Latest, true);
  const names = startedModules(compiler, source);
  const [name] = names;
  if (name === undefined)
    return { problem: `${entryFile} does not call NestFactory.create() with the name of a module` };
  if (names.size > 1) return { problem: `${entryFile} starts several modules` };
  const specifier = source.statements
    .filter((statement) => compiler.isImportDeclaration(statement))
    .find((statement) => importedNames(compiler, statement).includes(name))?.moduleSpecifier;
  if (!specifier || !compiler.isStringLiteral(specifier) || !specifier.text.startsWith('.'))
    return { problem: `${entryFile} does not import ${name} from a file of the application` };
  const file = path.join(path.dirname(entryFile), `${specifier.text.replace(/\.[jt]s$/, '')}.ts`);
  return existsSync(path.join(folder, file)) ? { file } : { problem: `there is no ${file}` };
}

function startedModules(compiler: TypeScript, source: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (
      compiler.isCallExpression(node) &&
      compiler.isPropertyAccessExpression(node.expression) &&
      node.expression.expression.getText(source) === 'NestFactory' &&
      STARTS.has(node.expression.name.text)
    ) {
      const [module] = node.arguments;
      if (module && compiler.isIdentifier(module)) names.add(module.text);
    }
    compiler.forEachChild(node, visit);
  };
  visit(source);
  return names;
}
