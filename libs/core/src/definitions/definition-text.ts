import { type JsonLimits, parseJsonText, parseJsonTextInTurns } from '../values/json-text.js';
import { DefinitionFormatError } from './definition-format-error.js';

/**
 * Parses the text of a definition file. A byte order mark, which .NET tools write, is skipped.
 * @throws DefinitionFormatError (WM1001) when the text is not JSON
 */
export function parseDefinitionText(text: string, limits?: JsonLimits): unknown {
  try {
    return parseJsonText(withoutMark(text), limits);
  } catch (error) {
    throw formatError(error);
  }
}

/** The same, with other work in between. @param pause as `parseJsonTextInTurns` has it */
export async function parseDefinitionTextInTurns(
  text: string,
  limits: JsonLimits,
  pause: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await parseJsonTextInTurns(withoutMark(text), limits, pause);
  } catch (error) {
    throw formatError(error);
  }
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

const formatError = (error: unknown): DefinitionFormatError =>
  new DefinitionFormatError('', (error as Error).message, { cause: error });
