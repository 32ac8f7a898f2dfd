const PREFIX = 'UnregisteredClrType:';

/** Marks the CLR name of a type for which Elsa has no alias, the way it stands on the wire. */
export const unregisteredAlias = (clrName: string): string => PREFIX + clrName;

/** Alias of `X[]`. */
export function arrayAlias(element: string): string {
  if (!element.startsWith(PREFIX)) return `${element}[]`;
  // The brackets belong to the type, and the type ends before the assembly.
  return element.replace(/,|$/, (end) => `[]${end}`);
}

/** Alias of `List<X>` and its like. A type without alias makes the whole name a CLR name. */
export function collectionAlias(collection: string, element: string): string {
  if (!element.startsWith(PREFIX)) return `${collection}<${element}>`;
  const argument = element.slice(PREFIX.length);
  return unregisteredAlias(`System.Collections.Generic.${collection}\`1[[${argument}]], System.Private.CoreLib`);
}
