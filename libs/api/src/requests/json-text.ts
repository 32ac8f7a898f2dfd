import { setImmediate } from 'node:timers/promises';
import { isWaymarkError } from '@waymark/core';
import { camelCase, type JsonSyntaxError, parseJsonTextInTurns } from '@waymark/core/adapter';
import { InvalidRequestError, SERIALIZER } from '../answers/api-errors.js';
import { type BodyLimit, raiseHint } from './body-limits.js';

/** Most member names in one text: they cost most when JSON is parsed, and no definition has so many. */
export const MAX_NAMES = 200_000;

/** Longest path that is reported: text may be nested as deep as it likes. */
const LONGEST_PATH = 200;

/**
 * Parses the JSON text of a request. Of a long one, other requests get their turn in between.
 * @throws InvalidRequestError whose key is the path of the member that was being read
 */
export async function parseRequestText(
  text: string,
  { values, options }: Pick<BodyLimit, 'values' | 'options'>,
): Promise<unknown> {
  const limits = { maxValues: values, maxNames: MAX_NAMES };
  try {
    return await parseJsonTextInTurns(text.replace(/^\uFEFF/, ''), limits, setImmediate);
  } catch (error) {
    if (isWaymarkError(error, 'WM1105'))
      throw new InvalidRequestError(
        { [SERIALIZER]: [error.message + (error.message.includes('values') ? raiseHint(options?.values) : '')] },
        { cause: error },
      );
    if (!isWaymarkError(error, 'WM1104')) throw error;
    throw new InvalidRequestError(
      { [pathOf(error as JsonSyntaxError) || SERIALIZER]: [error.message] },
      { cause: error },
    );
  }
}

/** Path of the member whose value has the syntax error; empty when that is outside of all members. */
function pathOf({ fault: { steps, isBehind } }: JsonSyntaxError): string {
  const path = (isBehind ? steps.slice(0, -1) : steps)
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${camelCase(step)}`))
    .join('')
    .replace(/^\./, '');
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
}
