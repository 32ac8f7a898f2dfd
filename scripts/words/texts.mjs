import ts from 'typescript';

const TITLED = new Set(['it', 'test', 'describe']);
const MODIFIERS = new Set(['only', 'skip', 'failing', 'concurrent', 'todo']);
export const isSpecification = (file) => /\.(spec|e2e-spec)\.tsx?$/.test(file);

/** Of a page everything is read; of the changelog its first section: what is released stays as it was. */
export function textsOfMarkdown(file, content) {
  const end =
    file === 'CHANGELOG.md'
      ? content
          .split(/^(?=## )/m)
          .slice(0, 2)
          .join('').length
      : content.length;
  return [{ text: withoutNames(content.slice(0, end)), line: 1 }];
}

/**
 * Of a specification the titles, and whether each is that of a test; of other sources the documentation comments and the sentences in string
 * literals.
 */
export function textsOfTypeScript(file, content) {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, text = node.getText(source), isTest = false) =>
    found.push({ text, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, isTest });
  const visitSpecification = (node) => {
    if (ts.isCallExpression(node) && node.arguments[0]) {
      const titled = titledBy(node.expression);
      if (titled) add(node.arguments[0], node.arguments[0].getText(source), titled !== 'describe');
      else if (isTable(node.expression)) rowTitles(node.arguments[0]).forEach((title) => add(title));
    }
    ts.forEachChild(node, visitSpecification);
  };
  const visit = (node) => {
    for (const comment of node.jsDoc ?? [])
      add(comment, withoutNames(comment.getText(source).replace(/^\s*\* /gm, '')));
    if (isSentence(node)) add(node);
    ts.forEachChild(node, visit);
  };
  if (isSpecification(file)) visitSpecification(source);
  else visit(source);
  return found;
}

/** Names in code spans are not ours to choose. Line breaks stay. */
const withoutNames = (text) => text.replace(/(?<!`)`[^`\n]+`(?!`)/g, (span) => ' '.repeat(span.length));

/** `it(…)`, `it.each(…)(…)`, `describe.skip(…)`: their first argument is a title. Returns the name of the function, or undefined. */
function titledBy(callee) {
  if (ts.isIdentifier(callee)) return TITLED.has(callee.text) ? callee.text : undefined;
  if (ts.isPropertyAccessExpression(callee))
    return MODIFIERS.has(callee.name.text) ? titledBy(callee.expression) : undefined;
  return ts.isCallExpression(callee) && isTable(callee.expression) ? titledBy(callee.expression.expression) : undefined;
}

/** `it.each`: its argument is a table, whose rows often begin with what the title inserts. */
const isTable = (callee) =>
  ts.isPropertyAccessExpression(callee) && callee.name.text === 'each' && titledBy(callee.expression) !== undefined;

function rowTitles(table) {
  const rows = ts.isArrayLiteralExpression(table) ? table.elements : [];
  return rows
    .map((row) => (ts.isArrayLiteralExpression(row) ? row.elements[0] : row))
    .filter((cell) => cell && ts.isStringLiteral(cell));
}

function isSentence(node) {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateExpression(node) ||
    ts.isJsxText(node)
  );
}
