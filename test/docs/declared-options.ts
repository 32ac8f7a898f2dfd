import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from './code-blocks.js';

/** An option as an interface declares it. */
export interface DeclaredOption {
  /** With what stands before it, such as `http.outgoing.allow`. */
  readonly name: string;
  /** What its TSDoc says. */
  readonly default: string | undefined;
  /** Its type, as it is written. */
  readonly type: string;
}

/** @param file below `libs` @param prefix what stands before the members, such as `http.` */
export function declaredOptions(file: string, name: string, prefix: string): DeclaredOption[] {
  const full = path.join(ROOT, 'libs', file);
  const source = ts.createSourceFile(full, readFileSync(full, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = source.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
  return membersOf((found as ts.InterfaceDeclaration).members, prefix);
}

function membersOf(members: ts.NodeArray<ts.TypeElement>, prefix: string): DeclaredOption[] {
  return members.filter(ts.isPropertySignature).flatMap((member) => {
    const name = prefix + member.name.getText();
    const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'default');
    const option = {
      name,
      default: tag && ts.getTextOfJSDocComment(tag.comment),
      type: (member.type?.getText() ?? 'unknown').replace(' | undefined', ''),
    };
    const group = groupOf(member.type);
    const nested = group ? membersOf(group.members, `${name}.`) : [];
    return [option, ...nested];
  });
}

/** Of `{ … } | undefined` as well. */
function groupOf(type: ts.TypeNode | undefined): ts.TypeLiteralNode | undefined {
  if (type && ts.isUnionTypeNode(type)) return type.types.find(ts.isTypeLiteralNode);
  return type && ts.isTypeLiteralNode(type) ? type : undefined;
}
