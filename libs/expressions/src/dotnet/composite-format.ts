import type { Culture } from './culture.js';
import { FormatError, requireFormat } from './format-error.js';

/** Wider columns are never meant. */
const MAX_WIDTH = 1000;

/** One value in its format, e.g. of `{0:N2}`. */
export type WriteValue = (value: unknown, format: string | undefined, culture: Culture) => string;

/**
 * `string.Format` of .NET: `{0}`, `{0,10}`, `{0,-10:N2}`, and doubled braces for braces.
 * @param spend called for each value that is written, so that a limit on the result can stop it
 * @throws FormatError for braces that do not match, and for a value that is not there
 */
export function formatComposite(
  format: string,
  values: readonly unknown[],
  culture: Culture,
  writeValue: WriteValue,
  spend: (characters: number) => void,
): string {
  const item = /\{\{|\}\}|\{(\d{1,3})\s*(?:,\s*(-?\d{1,6})\s*)?(?::([^{}]*))?\}|[{}]/g;
  return format.replaceAll(item, (token: string, index?: string, width?: string, itemFormat?: string) => {
    if (token === '{{') return '{';
    if (token === '}}') return '}';
    if (index === undefined)
      throw new FormatError('Input string was not in a correct format: its braces do not match.');
    if (Number(index) >= values.length)
      throw new FormatError(`The format asks for value ${index}, but there are ${values.length}.`);
    const text = writeValue(values[Number(index)], itemFormat && requireFormat(itemFormat), culture);
    const aligned = align(text, Number(width ?? 0));
    spend(aligned.length);
    return aligned;
  });
}

function align(text: string, width: number): string {
  if (Math.abs(width) > MAX_WIDTH) throw new FormatError(`A column is at most ${MAX_WIDTH} characters wide.`);
  return width < 0 ? text.padEnd(-width) : text.padStart(width);
}
