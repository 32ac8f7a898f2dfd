import path from 'node:path';
import ts from 'typescript';
import { declarationText } from './declaration-text.mjs';

/**
 * What the entry points of the libraries promise, read from their built declaration files: every export, and the declarations
 * that exports name though users cannot import them.
 * @param libraries folder of each by its package name
 * @returns by package name, a list of `{ name, text, isExported, isDocumented }`, sorted
 */
export function surfacesOf(libraries) {
  const entries = new Map([...libraries].map(([name, folder]) => [name, path.join(folder, 'dist/index.d.ts')]));
  const program = createProgram(entries);
  const checker = program.getTypeChecker();
  return new Map([...entries].map(([name, file]) => [name, surfaceOf(name, program.getSourceFile(file), checker)]));

  function surfaceOf(name, source) {
    if (!source) throw new Error(`${name} is not built: run "npm run build" first.`);
    const folder = path.dirname(source.fileName) + path.sep;
    const isOwn = (symbol) => symbol.declarations?.some((node) => node.getSourceFile().fileName.startsWith(folder));
    const surface = [];
    const seen = new Map();
    const pending = [];
    for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(source))) {
      const target = resolved(symbol);
      if (isOwn(target)) {
        pending.push({ symbol: target, name: symbol.name, isExported: true });
        seen.set(target, true);
      } else {
        const text = `export { ${symbol.name} } from '${packageOf(target) ?? specifierOf(symbol)}';`;
        surface.push({ name: symbol.name, text, isExported: true, isDocumented: true });
      }
    }
    for (let next = pending.shift(); next; next = pending.shift()) {
      const { symbol, ...entry } = next;
      const printed = symbol.declarations.map((node) => declarationText(node, entry.name));
      const isDocumented = symbol.getDocumentationComment(checker).length > 0;
      surface.push({ ...entry, text: printed.map(({ text }) => text).join('\n'), isDocumented });
      for (const identifier of printed.flatMap(({ identifiers }) => identifiers)) {
        const found = checker.getSymbolAtLocation(identifier);
        const used = found && resolved(found);
        if (!used || seen.has(used) || !isOwn(used) || !used.declarations.every(isTopLevel)) continue;
        seen.set(used, true);
        pending.push({ symbol: used, name: used.name, isExported: false });
      }
    }
    return surface.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.text < b.text ? -1 : 1));
  }

  function resolved(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  function packageOf(symbol) {
    const file = symbol.declarations?.[0]?.getSourceFile().fileName;
    return [...entries].find(([, entry]) => file?.startsWith(path.dirname(entry) + path.sep))?.[0];
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
