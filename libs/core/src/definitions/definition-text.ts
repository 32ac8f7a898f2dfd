import { type JsonLimits, parseJsonText } from '../values/json-text.js';
import { DefinitionFormatError } from './definition-format-error.js';

/**
 * Parses the text of a definition file. A byte order mark, which .NET tools write, is skipped.
 * @throws DefinitionFormatError (WM1001) when the text is not JSON
 */
export function parseDefinitionText(text: string, limits?: JsonLimits): unknown {
  try {
    return parseJsonText(text.replace(/^\uFEFF/, ''), limits);
  } catch (error) {
    throw new DefinitionFormatError('', (error as Error).message, { cause: error });
  }
}
