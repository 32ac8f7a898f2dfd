import ts from 'typescript';

const printer = ts.createPrinter({ removeComments: true });

/** Users can neither call nor read them, or are asked not to; that they are there is not a promise. */
export function isPrivate(member) {
  if (isInternal(member)) return true;
  if (ts.isConstructorDeclaration(member)) return false;
  return (
    (ts.canHaveModifiers(member) && member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)) ||
    (member.name !== undefined && ts.isPrivateIdentifier(member.name))
  );
}

const hasTag = (node) => ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');

/** Of a pair of accessors the first one has the comment. */
function isInternal(member) {
  if (hasTag(member)) return true;
  if (!ts.isSetAccessor(member)) return false;
  const name = member.name.getText();
  return member.parent.members.some(
    (other) => ts.isGetAccessor(other) && other.name.getText() === name && hasTag(other),
  );
}

/** The declaration without comments, `export`, `declare` and private members; and the identifiers that it names. */
export function declarationText(node, name) {
  const shown = ts.isClassDeclaration(node)
    ? ts.factory.updateClassDeclaration(
        node,
        node.modifiers,
        node.name,
        node.typeParameters,
        node.heritageClauses,
        node.members.filter((member) => !isPrivate(member)),
      )
    : node;
  const printed = print(sorted(shown, node.getSourceFile()), node.getSourceFile());
  const text = ts.isVariableDeclaration(node)
    ? `const ${printed};`
    : printed.replace(/^(export |default |declare )+/, '');
  const alias = node.name?.text === name ? '' : `// exported as ${name}\n`;
  return { text: alias + text, identifiers: identifiersOf(node) };
}

const print = (node, source) => printer.printNode(ts.EmitHint.Unspecified, node, source);

/** The compiler writes inferred unions in the order in which it has met their members, which is another one in the next build. */
function sorted(declaration, source) {
  const { transformed } = ts.transform(declaration, [
    (context) => (root) => {
      const visit = (node) => {
        const visited = ts.visitEachChild(node, visit, context);
        if (!ts.isUnionTypeNode(visited)) return visited;
        const types = visited.types.map((type) => ({ type, text: print(type, source) }));
        types.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
        return ts.factory.updateUnionTypeNode(visited, ts.factory.createNodeArray(types.map(({ type }) => type)));
      };
      return visit(root);
    },
  ]);
  return transformed[0];
}

function identifiersOf(node) {
  const found = [];
  const visit = (child) => {
    if (ts.isIdentifier(child)) found.push(child);
    if (!ts.isClassElement(child) || !isPrivate(child)) ts.forEachChild(child, visit);
  };
  visit(node);
  return found;
}
