/** Text, or texts where a name occurs several times: how queries, headers and forms come to workflows. */
export type TextMap = Record<string, string | string[]>;

export function addText(map: TextMap, name: string, value: string): void {
  const earlier = Object.hasOwn(map, name) ? map[name] : undefined;
  // Not by a new list: the cost of a name that comes often would grow with the square.
  if (Array.isArray(earlier)) return void earlier.push(value);
  const both = earlier === undefined ? value : [earlier, value];
  // Assigning this name would change the object's prototype.
  if (name === '__proto__')
    Object.defineProperty(map, name, { value: both, enumerable: true, writable: true, configurable: true });
  else map[name] = both;
}

export function parseUrlEncoded(text: string): TextMap {
  const map: TextMap = {};
  if (text === '') return map;
  // Nothing is encoded in most queries; what is needs the whole of the standard's rules.
  if (/[%+]|^\?/.test(text)) for (const [name, value] of new URLSearchParams(text)) addText(map, name, value);
  else
    for (const pair of text.split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      addText(map, equals < 0 ? pair : pair.slice(0, equals), equals < 0 ? '' : pair.slice(equals + 1));
    }
  return map;
}

/**
 * Lets members also be read by another spelling of their names, for code; listing, storing and converting the object
 * shows each member once.
 */
export function withAlias<T>(map: Record<string, T>, aliasOf: (name: string) => string): Record<string, T> {
  for (const name of Object.keys(map)) {
    const alias = aliasOf(name);
    if (!(alias in map))
      Object.defineProperty(map, alias, { value: map[name], enumerable: false, configurable: true, writable: true });
  }
  return map;
}
