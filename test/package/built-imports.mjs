import { readFileSync, readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import ts from 'typescript';

const BUILT_IN = new Set(builtinModules);

/**
 * Every module that a library's built files name must be declared by that library, and an optional peer must not be
 * needed to load it: a host without MySQL must be able to import the persistence library.
 */
export function checkBuiltImports(folder, manifest) {
  const declared = new Set([
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.peerDependencies ?? {}),
    manifest.name,
  ]);
  const optional = new Set(
    Object.entries(manifest.peerDependenciesMeta ?? {})
      .filter(([, meta]) => meta.optional)
      .map(([name]) => name),
  );
  const problems = new Set();
  const dist = path.join(folder, 'dist');
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const isCode = file.endsWith('.js');
    if (!isCode && !file.endsWith('.d.ts')) continue;
    for (const { specifier, isStatic } of importsOf(path.join(dist, file))) {
      if (/^(\.|node:)/.test(specifier)) continue;
      const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
      if (BUILT_IN.has(name)) problems.add(`dist/${file}: write "node:${specifier}"`);
      else if (!declared.has(name)) problems.add(`dist/${file}: "${name}" is not declared in package.json`);
      else if (isCode && isStatic && optional.has(name)) {
        problems.add(`dist/${file}: loads the optional peer "${name}" statically`);
      }
    }
  }
  return [...problems];
}

function importsOf(file) {
  const found = [];
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, false);
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      found.push({ specifier: node.moduleSpecifier.text, isStatic: true });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      found.push({ specifier: node.argument.literal.text, isStatic: false });
    } else if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      ts.isStringLiteral(node.arguments[0])
    ) {
      found.push({ specifier: node.arguments[0].text, isStatic: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
