import { JsonSyntaxError, type JsonLimits, parseJsonText, parseJsonTextInTurns } from '../values/json-text.js';
import { DefinitionFormatError } from './definition-format-error.js';

/**
 * Parses the text of a definition file. A byte order mark, which .NET tools write, is skipped.
 * @throws DefinitionFormatError (WM1001) when the text is not JSON
 */
export function parseDefinitionText(text: string, limits?: JsonLimits): unknown {
  try {
    return parseJsonText(withoutMark(text), limits);
  } catch (error) {
    throw formatError(error, text);
  }
}

/** Does the same, but yields to other work in between. @param pause as `parseJsonTextInTurns` has it */
export async function parseDefinitionTextInTurns(
  text: string,
  limits: JsonLimits,
  pause: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await parseJsonTextInTurns(withoutMark(text), limits, pause);
  } catch (error) {
    throw formatError(error, text);
  }
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** With the place as editors show it: line and column, from 1. */
function formatError(error: unknown, text: string): DefinitionFormatError {
  const { message } = error as Error;
  const index = error instanceof JsonSyntaxError ? error.fault.index : 0;
  // Of a long text, the place is not looked for.
  const place = index === 0 ? '' : ` (${placeOf(withoutMark(text).slice(0, index))})`;
  return new DefinitionFormatError('', message.replace(/\.?$/, `${place}.`), { cause: error });
}

function placeOf(before: string): string {
  const lines = before.split(/\r\n|\n|\r/);
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}
