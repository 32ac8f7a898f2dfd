import ts from 'typescript';
import { isPrivate } from './declaration-text.mjs';

/**
 * Names of the members that users see without a word about them: of classes, interfaces, object types and enums. What a base
 * class or interface says counts for those that override it; what names a specification by `@see` need not repeat it.
 */
export function undocumentedMembers(symbol, checker) {
  if (symbol.getJsDocTags().some(({ name }) => name === 'see')) return [];
  const members = symbol.declarations.flatMap((node) => membersOf(node));
  const silent = members.filter((member) => {
    if (!member.name || ts.isComputedPropertyName(member.name)) return false;
    const own = checker.getSymbolAtLocation(member.name);
    return own && own.getDocumentationComment(checker).length === 0;
  });
  return [...new Set(silent.map((member) => member.name.getText()))];
}

function membersOf(node) {
  if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isEnumDeclaration(node))
    return node.members.filter((member) => !isPrivate(member));
  if (ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type)) return [...node.type.members];
  return [];
}
