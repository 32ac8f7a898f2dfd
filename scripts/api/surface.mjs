import path from 'node:path';
import ts from 'typescript';
import { declarationText } from './declaration-text.mjs';
import { undocumentedMembers } from './documentation.mjs';

/**
 * What the entry points of the libraries promise, read from their built declaration files: every export, and the declarations
 * that exports name though users cannot import them.
 * @param entries declaration file of each entry point by what imports name, such as `@waymark/core/adapter`
 * @returns by entry point, a list of `{ name, text, isExported, isDocumented, undocumented, from }`, sorted: `undocumented` are
 *   members without documentation, `from` is the other entry point that exports what this one only names
 */
export function surfacesOf(entries) {
  const program = createProgram(entries);
  const checker = program.getTypeChecker();
  const sources = new Map([...entries].map(([name, file]) => [name, program.getSourceFile(file)]));
  for (const [name, source] of sources)
    if (!source) throw new Error(`${name} is not built: run "npm run build" first.`);
  /** The entry point that users import a declaration from. */
  const homes = new Map();
  for (const [name, source] of sources)
    for (const symbol of exportsOf(source).map(resolved))
      if (isOwn(symbol, source) && !homes.has(symbol)) homes.set(symbol, name);
  return new Map([...sources].map(([name, source]) => [name, surfaceOf(name, source)]));

  function surfaceOf(name, source) {
    const surface = [];
    const seen = new Map();
    const pending = [];
    for (const symbol of exportsOf(source)) {
      const target = resolved(symbol);
      if (isOwn(target, source)) {
        pending.push({ symbol: target, alias: symbol, name: symbol.name, isExported: true });
        seen.set(target, true);
      } else {
        const text = `export { ${symbol.name} } from '${homes.get(target) ?? specifierOf(symbol)}';`;
        surface.push({ name: symbol.name, text, isExported: true, isDocumented: true, undocumented: [] });
      }
    }
    for (let next = pending.shift(); next; next = pending.shift()) {
      const { symbol, alias, ...entry } = next;
      const printed = symbol.declarations.map((node) => declarationText(node, entry.name));
      surface.push({
        ...entry,
        text: printed.map(({ text }) => text).join('\n'),
        isDocumented: symbol.getDocumentationComment(checker).length > 0 || isDocumentedNamespace(alias),
        undocumented: entry.isExported ? undocumentedMembers(symbol, checker) : [],
      });
      for (const identifier of printed.flatMap(({ identifiers }) => identifiers)) {
        const found = checker.getSymbolAtLocation(identifier);
        const used = found && resolved(found);
        if (!used || seen.has(used) || !isOwn(used, source) || !used.declarations.every(isTopLevel)) continue;
        seen.set(used, true);
        const from = homes.get(used);
        if (from === undefined) pending.push({ symbol: used, name: used.name, isExported: false });
        else if (from !== name)
          surface.push({ name: used.name, text: '', isExported: false, isDocumented: true, from });
      }
    }
    return surface.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.text < b.text ? -1 : 1));
  }

  function exportsOf(source) {
    return checker.getExportsOfModule(checker.getSymbolAtLocation(source));
  }

  /** True for what is declared in the library of that entry point. */
  function isOwn(symbol, source) {
    const folder = path.dirname(source.fileName) + path.sep;
    return symbol.declarations?.some((node) => node.getSourceFile().fileName.startsWith(folder));
  }

  function resolved(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }
}

/** Follows imports within the libraries only: the packages of others take seconds to read, and only their names are printed. */
function createProgram(entries) {
  const options = { module: ts.ModuleKind.ESNext, noLib: true, types: [], skipLibCheck: true };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, containingFile) =>
    literals.map(({ text }) => {
      const file = text.startsWith('.')
        ? path.join(path.dirname(containingFile), text.replace(/\.js$/, '.d.ts'))
        : entries.get(text);
      return { resolvedModule: file && { resolvedFileName: file, extension: ts.Extension.Dts } };
    });
  return ts.createProgram([...entries.values()], options, host);
}

/** `export * as name` has its words above the statement: the module behind it has none of its own. */
function isDocumentedNamespace(alias) {
  const declaration = alias?.declarations?.find(ts.isNamespaceExport);
  return declaration !== undefined && ts.getJSDocCommentsAndTags(declaration.parent).length > 0;
}

/** The module that an export statement names. */
function specifierOf(symbol) {
  const statement = ts.findAncestor(symbol.declarations[0], ts.isExportDeclaration);
  if (!statement?.moduleSpecifier) throw new Error(`The export ${symbol.name} comes from no known module.`);
  return statement.moduleSpecifier.text;
}

/** True for declarations that stand by themselves in a file, and not inside others. */
function isTopLevel(node) {
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  return ts.isSourceFile(statement.parent);
}
