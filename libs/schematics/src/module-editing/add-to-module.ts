import type ts from 'typescript';
import { declaresName, findList, findModule, importedNames } from './module-class.js';
import type { ModuleAddition, ModuleEdit } from './module-addition.js';
import type { TypeScript } from './typescript-of.js';

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/**
 * Adds a class to a list of the `@Module()` of a file, with the import that it needs. Everything else stays as it is, byte for
 * byte. A file that is not understood, or would not parse afterwards, is a `problem`. A class that is there already changes nothing.
 */
export function addToModule(compiler: TypeScript, text: string, addition: ModuleAddition): ModuleEdit {
  if (!parses(compiler, text)) return { problem: 'it has syntax errors' };
  const source = compiler.createSourceFile('module.ts', text, compiler.ScriptTarget.Latest, true);
  const found = findModule(compiler, source);
  if ('problem' in found) return found;
  const list = findList(compiler, found.metadata, addition.list);
  if (list && 'problem' in list) return list;
  // Before the list: it may have a class of that name from another file.
  const isImported = importsFrom(compiler, source, addition);
  if (declaresName(compiler, source, addition.className) && !isImported)
    return { problem: `it uses the name ${addition.className} for something else`, isNameTaken: true };
  if (list?.elements.some((element) => element.getText(source) === addition.className)) return { text };

  const style = styleOf(compiler, source);
  const insertions = [listed(source, found, list, addition, style)];
  if (!isImported) insertions.push(imported(compiler, source, addition, style));
  const edited = insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((result, { at, text: inserted }) => result.slice(0, at) + inserted + result.slice(at), text);
  return parses(compiler, edited) ? { text: edited } : { problem: 'the changed file would not parse' };
}

function parses(compiler: TypeScript, text: string): boolean {
  const { diagnostics } = compiler.transpileModule(text, {
    reportDiagnostics: true,
    fileName: 'module.ts',
    compilerOptions: { experimentalDecorators: true, target: compiler.ScriptTarget.ES2022 },
  });
  return !diagnostics?.some(({ category }) => category === compiler.DiagnosticCategory.Error);
}

const isImport = (compiler: TypeScript, source: ts.SourceFile): ts.ImportDeclaration[] =>
  source.statements.filter((statement) => compiler.isImportDeclaration(statement));

function importsFrom(compiler: TypeScript, source: ts.SourceFile, { className, from }: ModuleAddition): boolean {
  return isImport(compiler, source).some(
    (statement) =>
      compiler.isStringLiteral(statement.moduleSpecifier) &&
      statement.moduleSpecifier.text === from &&
      importedNames(compiler, statement).includes(className),
  );
}

interface Style {
  readonly quote: string;
  readonly newLine: string;
  readonly semicolon: string;
}

/** As the imports of the file are written. */
function styleOf(compiler: TypeScript, source: ts.SourceFile): Style {
  const [first] = isImport(compiler, source);
  return {
    quote: first?.moduleSpecifier.getText(source).startsWith('"') ? '"' : "'",
    newLine: source.text.includes('\r\n') ? '\r\n' : '\n',
    semicolon: !first || first.getText(source).endsWith(';') ? ';' : '',
  };
}

function imported(
  compiler: TypeScript,
  source: ts.SourceFile,
  { className, from }: ModuleAddition,
  { quote, newLine, semicolon }: Style,
): Insertion {
  const statement = `import { ${className} } from ${quote}${from}${quote}${semicolon}`;
  const last = isImport(compiler, source).at(-1);
  if (last) return { at: last.getEnd(), text: `${newLine}${statement}` };
  return { at: source.statements[0]?.getStart(source) ?? 0, text: `${statement}${newLine}${newLine}` };
}

/** Where the class goes into the list, or the list into the metadata, or the metadata into the decorator. */
function listed(
  source: ts.SourceFile,
  { decorator, metadata }: { decorator: ts.CallExpression; metadata: ts.ObjectLiteralExpression | undefined },
  list: ts.ArrayLiteralExpression | undefined,
  { className, list: key }: ModuleAddition,
  { newLine }: Style,
): Insertion {
  if (list) return lastOf(source, list, list.elements, className, ' ');
  if (metadata) return lastOf(source, metadata, metadata.properties, `${key}: [${className}]`, newLine);
  return { at: decorator.getEnd() - 1, text: `{${newLine}  ${key}: [${className}],${newLine}}` };
}

/** The text as last element: on a line of its own where the others have theirs. */
function lastOf(
  source: ts.SourceFile,
  parent: ts.Node,
  elements: ts.NodeArray<ts.Node>,
  text: string,
  whenEmpty: string,
): Insertion {
  const last = elements.at(-1);
  if (!last) {
    const padded = whenEmpty === ' ' ? text : `${whenEmpty}  ${text},${whenEmpty}`;
    return { at: parent.getStart(source) + 1, text: padded };
  }
  const start = source.getLineAndCharacterOfPosition(last.getStart(source));
  const before = source.text.slice(source.getPositionOfLineAndCharacter(start.line, 0), last.getStart(source));
  const isOnItsLine = before.trim() === '';
  const between = isOnItsLine ? `${source.text.includes('\r\n') ? '\r\n' : '\n'}${before}` : ' ';
  if (elements.hasTrailingComma) return { at: elements.end, text: `${between}${text}${isOnItsLine ? ',' : ''}` };
  return { at: last.getEnd(), text: `,${between}${text}` };
}
