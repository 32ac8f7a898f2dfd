import { LiquidDecimal } from './liquid-decimal.js';

/**
 * A value as the filter `json` writes it: decimal numbers with all of their places, `2.0`, as .NET does. JavaScript has no number that
 * would keep the zero, so they are put into the text.
 */
export function jsonOf(value: unknown, indent?: number): string {
  if (value instanceof LiquidDecimal) return value.text;
  if (!Array.isArray(value) || !holdsDecimal(value)) return JSON.stringify(value ?? null, null, indent);
  // Decimals are made by filters, which put them into lists and never into objects.
  const [before, between, after] = indent === undefined ? ['', ',', ''] : ['\n', ',\n', '\n'];
  const items = (value as unknown[]).map((item) => indented(jsonOf(item, indent), indent));
  return `[${before}${items.join(between)}${after}]`;
}

function holdsDecimal(value: readonly unknown[]): boolean {
  return value.some((item) => item instanceof LiquidDecimal || (Array.isArray(item) && holdsDecimal(item)));
}

function indented(text: string, indent: number | undefined): string {
  if (indent === undefined) return text;
  const blanks = ' '.repeat(indent);
  return blanks + text.replaceAll('\n', `\n${blanks}`);
}
