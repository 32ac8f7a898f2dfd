const isUpper = (char: string): boolean => char !== char.toLowerCase();

/** Property name as .NET classes spell it: `supportedMethods` → `SupportedMethods`. */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * Property name as .NET writes it in JSON: `SupportedMethods` → `supportedMethods`. A run of capitals is lowered up to
 * the one that begins the next word: `URLPath` → `urlPath`, `ID` → `id`.
 */
export function camelCase(name: string): string {
  if (name === '' || !isUpper(name.charAt(0))) return name;
  let end = 1;
  while (end < name.length && isUpper(name.charAt(end)) && !startsWord(name, end)) end++;
  return name.slice(0, end).toLowerCase() + name.slice(end);
}

/** A capital begins a word when no capital follows; before a space it still belongs to the run. */
function startsWord(name: string, index: number): boolean {
  const next = name.charAt(index + 1);
  return next !== '' && next !== ' ' && !isUpper(next);
}

/** Type name made from a display name: `Atom Activity` → `AtomActivity`. Only the first letter of a word changes. */
export function pascalize(text: string): string {
  return text
    .split(/[\s_-]+/)
    .map(pascalCase)
    .join('');
}

/** Words that stay small inside a title: `ParallelForEach` is shown as "Parallel for Each". */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a an and as at but by for if in nor of off on or so the to up via yet'.split(' '),
);

/** Display name made from a type or property name: `ForEach` → `For Each`, `HTTPEndpoint` → `HTTP Endpoint`. */
export function titleWords(name: string): string {
  const words = name
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .replace(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(' ');
  return words.map(titleWord).join(' ');
}

function titleWord(word: string, index: number): string {
  const lower = word.toLowerCase();
  return index > 0 && SMALL_WORDS.has(lower) ? lower : pascalCase(word);
}
