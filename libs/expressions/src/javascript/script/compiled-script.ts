import { pascalize } from '@waymark/core/adapter';
import { toFunctionBody, type SyntaxCheck } from './completion-value.js';
import type { TextType } from '../sandbox/host-types/names.js';
import { findMentionedNames } from './mentioned-names.js';

/** A script as the sandbox runs it. Made once per text. */
export interface CompiledScript {
  /**
   * Code of a function that is called once per context with `lookup` and answers the function to call per evaluation:
   * `function(){const getX=arguments[0]("getX");return function(){ … }}`. Everything stands on the first line, so that
   * line numbers of errors are those of the script.
   */
  readonly code: string;
  /** Names for `variables.X`, after the types whose texts are values of .NET, as JSON; undefined when the script needs nothing anew for each evaluation. */
  readonly mentionedVariables: string | undefined;
  /** The script may change built-ins, or the global object, or looks at it: it gets a context of its own, thrown away after. */
  readonly needsOwnContext: boolean;
  /** The script names a type of .NET, such as `DateTime`, or members of one. */
  readonly needsHostTypes: boolean;
}

/** @param functions names of functions that are given with the evaluation */
export function compileScript(
  source: string,
  functions: readonly string[],
  globals: ReadonlySet<string>,
  isValid: SyntaxCheck,
): CompiledScript | undefined {
  const body = toFunctionBody(source, isValid);
  if (!body) return undefined;
  const names = findMentionedNames(source);
  const hostTypes = names.hostTypes.filter((n) => !globals.has(n) && !functions.includes(n));
  const as = names.textTypes;
  const givers = as.length > 0 ? textGivers.filter((n) => globals.has(n) && source.includes(n)) : [];
  const bound = new Set([
    ...names.accessors.filter((n) => !globals.has(n)),
    ...givers,
    ...hostTypes,
    ...functions.filter((n) => source.includes(n)),
  ]);
  // Bindings that outlive an evaluation must be constants. What the script assigns becomes a variable of the evaluation:
  // scripts of the format may use undeclared variables, and they would otherwise land in the shared global object. What it
  // asks about with `typeof` depends on the scope of the evaluation.
  const assigned = new Set([...names.assigned, ...names.questioned.filter((n) => bound.has(n))]);
  const setters = settersOf(
    [...bound, ...SET_VARIABLE.filter((n) => globals.has(n) && source.includes(n))],
    names.variables,
  );
  const shared = [...bound]
    .filter((n) => !assigned.has(n) && !setters.has(n))
    .map((n) => `${n}=arguments[0](${lookedUp(n, as)})`);
  const local = [
    ...(names.variables ? ['variables=arguments[1]'] : []),
    ...(names.args ? ['args=arguments[0]("args")'] : []),
    ...[...new Set([...assigned, ...setters.keys()])].map((n) => {
      const found = bound.has(n) ? `arguments[${assigned.has(n) ? 2 : 0}](${lookedUp(n, as)})` : `globalThis.${n}`;
      return `${n}=${setters.has(n) ? `arguments[3](${found}${setters.get(n)})` : found}`;
    }),
  ];
  const inner = `${body.isAsync ? 'async ' : ''}function(){${body.text}\n}`;
  const perRun = local.length > 0 ? `function(){var ${local.join(',')};return (${inner})()}` : inner;
  return {
    code: `(function(){${shared.length > 0 ? `const ${shared.join(',')};` : ''}return ${perRun}})`,
    mentionedVariables: local.length > 0 ? JSON.stringify([as, ...(names.variables ?? [])]) : undefined,
    needsOwnContext: names.assignsParts || changesBuiltIns.test(source),
    needsHostTypes: hostTypes.length > 0 || as.length > 0,
  };
}

const SET_VARIABLE = ['setVariable'];

/** Those that may set what the script has as `variables.X` as well, with the names of these, as a further argument. */
function settersOf(bound: readonly string[], variables: readonly string[] = []): ReadonlyMap<string, string> {
  const setters = new Map<string, string>();
  for (const setter of variables.length > 0 ? bound : []) {
    const set = variables.filter((name) => `set${pascalize(name)}` === setter);
    if (SET_VARIABLE.includes(setter)) setters.set(setter, '');
    else if (set.length > 0) setters.set(setter, `,${JSON.stringify(set)}`);
  }
  return setters;
}

/** Functions of the format that give values which are texts here. */
const textGivers = ['getVariable', 'newGuid', 'parseGuid'];

/** What a name is looked up by: with the types whose texts are to be values of .NET. */
function lookedUp(name: string, as: readonly TextType[]): string {
  return as.length > 0 ? `${JSON.stringify(name)},${JSON.stringify(as)}` : JSON.stringify(name);
}

const builtIns =
  'Object|Function|Array|String|Number|Boolean|BigInt|Symbol|Math|JSON|Date|RegExp|Promise|Proxy|Reflect|Map|Set|WeakMap|WeakSet|Iterator|\\w*Error|\\w*Array|ArrayBuffer|DataView';

/**
 * Code that would behave differently in a frozen context: it names a prototype or the global object, uses `this` (outside
 * of classes the global object), or assigns a member of a built-in. In doubt yes: a context of its own is always right,
 * and only slower.
 */
const changesBuiltIns = new RegExp(
  String.raw`\bprototype\b|__proto__|\bglobalThis\b|\bthis\s*(?:[.[]|\?\.)|[=(,:?]\s*this\b|\breturn\s+this\b|(?<![.\w$])(?:${builtIns})\s*(?:\.\s*\w+|\[[^\]]{0,99}\])\s*=(?![=>])`,
);
