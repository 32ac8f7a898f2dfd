import { DefinitionFormatError } from './definition-format-error.js';

/**
 * Parses the text of a definition file. A byte order mark, which .NET tools write, is skipped.
 * @throws DefinitionFormatError (WM1001) when the text is no JSON
 */
export function parseDefinitionText(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    throw new DefinitionFormatError('', `The text is no JSON: ${(error as Error).message}`, { cause: error });
  }
}
