import type ts from 'typescript';
import type { TypeScript } from './typescript-of.js';

/** The one class of a file that has `@Module({…})`, or a sentence on why there is none that can be changed. */
export type FoundModule =
  | { readonly decorator: ts.CallExpression; readonly metadata: ts.ObjectLiteralExpression | undefined }
  | { readonly problem: string };

/** Finds the metadata of the module class of a file. */
export function findModule(compiler: TypeScript, source: ts.SourceFile): FoundModule {
  const calls = source.statements
    .filter((statement) => compiler.isClassDeclaration(statement))
    .flatMap((statement) => compiler.getDecorators(statement) ?? [])
    .map(({ expression }) => expression)
    .filter((expression) => compiler.isCallExpression(expression))
    .filter(({ expression }) => compiler.isIdentifier(expression) && expression.text === 'Module');
  const [decorator] = calls;
  if (!decorator) return { problem: 'it has no class with @Module()' };
  if (calls.length > 1) return { problem: `it has ${calls.length} classes with @Module()` };
  const [metadata] = decorator.arguments;
  if (metadata && !compiler.isObjectLiteralExpression(metadata))
    return { problem: '@Module() is given something other than an object literal' };
  return { decorator, metadata };
}

/** The list of one key of the metadata: its array literal, `undefined` if the key is missing, or why it cannot be changed. */
export function findList(
  compiler: TypeScript,
  metadata: ts.ObjectLiteralExpression | undefined,
  key: string,
): ts.ArrayLiteralExpression | undefined | { readonly problem: string } {
  const properties = metadata?.properties ?? [];
  if (properties.some((property) => compiler.isSpreadAssignment(property)))
    return { problem: 'the object of @Module() has a spread, which may hold its lists' };
  const property = properties.find(
    ({ name }) => name && (compiler.isIdentifier(name) || compiler.isStringLiteral(name)) && name.text === key,
  );
  if (!property) return undefined;
  if (compiler.isPropertyAssignment(property) && compiler.isArrayLiteralExpression(property.initializer))
    return property.initializer;
  return { problem: `its ${key} are not written as a list in @Module()` };
}

/** Whether a file declares or imports that name at its top. */
export function declaresName(compiler: TypeScript, source: ts.SourceFile, name: string): boolean {
  return source.statements.some((statement) => {
    if (compiler.isImportDeclaration(statement)) return importedNames(compiler, statement).includes(name);
    if (compiler.isVariableStatement(statement))
      return statement.declarationList.declarations.some(
        (declaration) => compiler.isIdentifier(declaration.name) && declaration.name.text === name,
      );
    const named = statement as ts.Statement & { readonly name?: ts.Node };
    return named.name !== undefined && compiler.isIdentifier(named.name) && named.name.text === name;
  });
}

/** The names by which a file knows what it imports with that statement. */
export function importedNames(compiler: TypeScript, { importClause }: ts.ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings;
  const named = bindings && compiler.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : [];
  const namespace = bindings && compiler.isNamespaceImport(bindings) ? [bindings.name.text] : [];
  return [...(importClause?.name ? [importClause.name.text] : []), ...named, ...namespace];
}
