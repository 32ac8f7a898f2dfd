import { parse, type Program } from 'acorn';

/**
 * Longer scripts are programs, and those the sandbox evaluates. It also bounds what the parser can be made to do: it compares each
 * declared name with all before it, in every block around it, and took ten seconds for a script of 85,000 characters.
 */
const MAX_LENGTH = 5000;

/** Where the two parsers could read something else, or the script crosses into the sandbox changed. */
const ambiguous = /<!--|-->|^#!|[\0\p{Surrogate}]/u;
const hasCarriageReturnInTemplate = (source: string): boolean => source.includes('\r') && source.includes('`');

/** `undefined` for text that is not a script, or not one to look at here. The sandbox says why. */
export function parseScript(source: string): Program | undefined {
  if (source.length > MAX_LENGTH || ambiguous.test(source) || hasCarriageReturnInTemplate(source)) return undefined;
  try {
    return parse(source, {
      ecmaVersion: 2022,
      sourceType: 'script',
      allowReturnOutsideFunction: true,
      // So that parentheses count as nesting.
      preserveParens: true,
    });
  } catch {
    // A syntax error, or the stack was too small for the nesting.
    return undefined;
  }
}

/** Why a text is not a script, and where: line and column from 1, in the text as it was written. */
export interface SyntaxFault {
  readonly message: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/**
 * Why a text is not a script; undefined: it is one, or only the sandbox can say. What the two parsers could read differently, and what
 * is longer than 5,000 characters, is left to the sandbox.
 */
export function scriptFault(source: string): SyntaxFault | undefined {
  if (source.length > MAX_LENGTH || source.trim() === '' || ambiguous.test(source)) return undefined;
  try {
    parse(source, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
    });
    return undefined;
  } catch (error) {
    // Too deeply nested for this parser.
    if (!(error instanceof SyntaxError)) return undefined;
    return faultOf(source, error as AcornError);
  }
}

type AcornError = SyntaxError & {
  readonly pos: number;
  readonly loc: { readonly line: number; readonly column: number };
};

function faultOf(source: string, { message, pos, loc }: AcornError): SyntaxFault {
  const words = message.replace(/ \(\d+:\d+\)$/, '');
  if (words !== 'Unexpected token') return { message: words, line: loc.line, column: loc.column + 1 };
  const rest = source.slice(pos);
  if (rest.trim() === '') return endOf(source);
  return { message: `Unexpected '${tokenOf(rest)}'`, line: loc.line, column: loc.column + 1 };
}

/** The text ends where more is expected: behind its last character, and not in a blank line below it. */
export function endOf(source: string): SyntaxFault {
  const lines = source.trimEnd().split('\n');
  return { message: 'Unexpected end of the text', line: lines.length, column: lines.at(-1)!.length + 1 };
}

const tokenOf = (rest: string): string => /^(?:[\w$]{1,20}|.)/su.exec(rest)![0];
