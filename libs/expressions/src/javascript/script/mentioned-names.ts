import { HOST_TYPE_NAMES, type TextType, textTypesBeside, textTypesWith } from '../sandbox/host-types/names.js';

/** What the text of a script mentions. Names in comments and texts count as well: that costs little and breaks nothing. */
export interface MentionedNames {
  /** `getX`, `setX`: candidates for accessors of variables, inputs, outputs and arguments. */
  readonly accessors: readonly string[];
  /** Those of them that the script asks about with `typeof`. */
  readonly questioned: readonly string[];
  /** `X` of `variables.X`; undefined when the script does not mention `variables` at all. */
  readonly variables: readonly string[] | undefined;
  readonly args: boolean;
  /** Types of .NET, such as `DateTime`. */
  readonly hostTypes: readonly string[];
  /** Types of .NET whose members it reads: texts that variables of these types hold are values of them in the script. */
  readonly textTypes: readonly TextType[];
  /** Names that are assigned without being declared anywhere in the script. */
  readonly assigned: readonly string[];
  /** The script may assign other such names as parts of a value: `[a, b] = [1, 2]`. */
  readonly assignsParts: boolean;
}

/**
 * Reads a script name by name, once from start to end: scripts come from users, and a pattern that looks back and forth
 * over the whole text takes minutes for a hostile one.
 */
export function findMentionedNames(source: string): MentionedNames {
  const accessors = new Set<string>();
  const questioned = new Set<string>();
  const assigned = new Set<string>();
  const declared = new Set<string>();
  const hostTypes = new Set<string>();
  const textTypes = new Set<TextType>();
  let variables: Set<string> | undefined;
  let args = false;
  let previous = '';
  let previousEnd = 0;
  for (const match of source.matchAll(names)) {
    const [name] = match;
    const end = match.index + name.length;
    const between = source.slice(previousEnd, match.index).trim();
    if (!isMember(between)) {
      if (accessorName.test(name)) {
        accessors.add(name);
        if (previous === 'typeof' && between === '') questioned.add(name);
      } else if (name === 'variables') {
        variables ??= new Set();
        const member = at(variableMember, source, end);
        if (member) variables.add((member[1] ?? member[2] ?? member[3])!);
      } else if (name === 'args') args = true;
      else if (HOST_TYPE_NAMES.has(name)) {
        hostTypes.add(name);
        for (const type of textTypesBeside(name)) textTypes.add(type);
      }
      if (declarations.has(previous) && (between === '' || between === '*')) declared.add(name);
      else if (
        at(assignment, source, end) ||
        /(?:\+\+|--)$/.test(between) ||
        isLoopHead(previous, between, source, end)
      ) {
        if (!reserved.has(name)) assigned.add(name);
      }
    } else for (const type of textTypesWith(name)) textTypes.add(type);
    previous = name;
    previousEnd = end;
  }
  return {
    accessors: [...accessors],
    questioned: [...questioned],
    variables: variables && [...variables],
    args,
    hostTypes: [...hostTypes],
    textTypes: [...textTypes],
    assigned: [...assigned].filter((name) => !declared.has(name)),
    assignsParts: assignsParts(source, declared),
  };
}

/** Whether a list or an object stands where it is assigned to, with a name in it that the script does not declare. */
function assignsParts(source: string, declared: ReadonlySet<string>): boolean {
  let known: Set<string> | undefined;
  for (const [pattern] of source.matchAll(partsAssigned)) {
    known ??= new Set([...declared, ...[...source.matchAll(declaredTogether)].flatMap(([text]) => namesIn(text))]);
    if (namesIn(pattern).some((name) => !known!.has(name) && !reserved.has(name))) return true;
  }
  return false;
}

const namesIn = (text: string): string[] => [...text.matchAll(names)].map(([name]) => name);

const names = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;
const accessorName = /^[gs]et(?!\p{Ll})[\p{L}\p{N}_]+$/u;
const variableMember =
  /\s*(?:\??\.\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)|(?:\?\.)?\[\s*(?:"([^"\\]+)"|'([^'\\]+)')\s*\])/uy;
const assignment = /\s*(?:=(?![=>])|(?:\+|-|\*\*?|\/|%|<<|>>>?|&&?|\|\|?|\^|\?\?)=(?!=)|\+\+|--)/y;
const loopKeyword = /\s+(?:of|in)\b/y;
const declarations: ReadonlySet<string> = new Set(['let', 'const', 'var', 'function', 'class']);

/**
 * `[a, b] =` and `({ a } =` where a statement begins, and `for ([a, b] of`. Each part is bounded, and ends where another one could begin: a
 * hostile text is not read over and over.
 */
const partsAssigned =
  /(?:^|[;{}(\n,])[^\S\n]{0,100}\[[^\][]{0,200}\]\s{0,100}=(?![=>])|\(\s{0,100}\{[^}{]{0,200}\}\s{0,100}=(?![=>])|\bfor\s{0,10}\(\s{0,10}[[{][^\]}[{]{0,200}[\]}]\s{0,10}(?:of|in)\b/g;

/** `let a, b`: beside the first one, which is found anyway. */
const declaredTogether = /\b(?:let|var)\s[^;=(]{0,200}/g;

/** Not names that a declaration could bind, or names that mean something here. */
const reserved: ReadonlySet<string> = new Set(
  (
    'arguments args async await break case catch class const continue debugger default delete do else enum eval export ' +
    'extends false finally for function if implements import in instanceof interface let new null package private ' +
    'protected public return static super switch this throw true try typeof undefined var variables void while with yield'
  ).split(' '),
);

/** `date.getTime`, but not a spread: `...getItems()`. */
function isMember(between: string): boolean {
  return between.endsWith('.') && !between.endsWith('...');
}

/** `for (name of …)`. */
function isLoopHead(previous: string, between: string, source: string, end: number): boolean {
  return (previous === 'for' || previous === 'await') && between === '(' && at(loopKeyword, source, end) !== null;
}

/** Matches a sticky pattern at one place. */
function at(pattern: RegExp, source: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(source);
}
