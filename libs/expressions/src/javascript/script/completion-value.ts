/** Whether a text is valid as a script (no `return` or `await` outside of functions). */
export type SyntaxCheck = (text: string) => boolean;

/**
 * The body of a function that does what a script does: `return` is legal, and otherwise the value of the last expression
 * statement is the result. The parser of the sandbox itself answers what is what, so no second parser can disagree.
 *
 * | script | body |
 * |-|-|
 * | an expression | `return (…)` |
 * | statements that end in an expression | `…; return (…)` |
 * | other statements, without `return` | `return eval("…")`: a loop or a block may hold the last value |
 * | with `return` | as it is |
 * | with `await` | the same two, in an async function |
 */
export interface FunctionBody {
  readonly text: string;
  readonly isAsync: boolean;
}

/** `undefined` when the script is not valid in any form. */
export function toFunctionBody(source: string, isValid: SyntaxCheck): FunctionBody | undefined {
  const isScript = isValid(source);
  if (isScript && isExpression(source, isValid)) return { text: returning(source), isAsync: false };
  for (const isAsync of [false, true]) {
    const prefix = isAsync ? 'async ' : '';
    const isBody = (text: string): boolean => isValid(`(${prefix}function(){${text}\n})`);
    // As a method too: a text that closes the function and opens another one would pass as one of both only.
    if (!isScript && !(isBody(source) && isValid(`({${prefix}m(){${source}\n}})`))) continue;
    const at = lastExpression(source, isBody);
    if (at === 0) return { text: returning(source), isAsync };
    if (at !== undefined) return { text: `${source.slice(0, at)};${returning(source.slice(at))}`, isAsync };
    return { text: isScript ? `return eval(${JSON.stringify(source)})` : source, isAsync };
  }
  return undefined;
}

function returning(expression: string): string {
  return `return (${withoutSemicolon(expression)}\n)`;
}

function withoutSemicolon(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s;]/.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

const comments = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/;
/** A statement that begins like this is not an expression statement, even if it would be an expression in parentheses. */
const statementStart = /^(?:\{|function\b|class\b|async\s+function\b|let\s*\[)/;
/** What may continue with the expression before it, so that no statement needs to end there. */
const continuation = /^(?:[-+*/([`.,?:<>=&|^%]|in\b|instanceof\b|$)/;

function isExpression(text: string, isBody: SyntaxCheck): boolean {
  const bare = withoutSemicolon(text);
  const start = bare.replace(comments, '');
  return start !== '' && !statementStart.test(start) && isBody(`(${bare}\n)`);
}

/** Longer searches would make hostile texts expensive; honest ones end within a few steps. */
const MAX_CANDIDATES = 100;

/**
 * Where the last statement begins, if it is an expression statement. Candidates are the places after `;`, `}` and line
 * ends, from the back. One is right when what is before it is complete and what is after it is one expression.
 */
function lastExpression(source: string, isBody: SyntaxCheck): number | undefined {
  if (isExpression(source, isBody)) return 0;
  const end = withoutSemicolon(source).length;
  let tried = 0;
  for (let at = end - 1; at > 0 && tried < MAX_CANDIDATES; at--) {
    const before = source[at - 1]!;
    if (before !== ';' && before !== '}' && before !== '\n') continue;
    tried++;
    const tail = source.slice(at);
    if (before !== ';' && continuation.test(tail.replace(comments, ''))) continue;
    if (!isExpression(tail, isBody)) continue;
    const head = source.slice(0, at);
    // In a comment anything would do, so a text that cannot be code tells one apart.
    if (isBody(head) && !isBody(`${head} #`)) return at;
  }
  return undefined;
}
