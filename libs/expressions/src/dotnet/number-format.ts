import { type Culture, INVARIANT } from './culture.js';
import { writeNumberPattern } from './number-pattern.js';
import { numberSymbols, type NumberSymbols } from './number-symbols.js';
import { type Decimal, isZero, round, shift, toDecimal } from './decimal.js';
import { FormatError, requireFormat } from './format-error.js';

/** .NET allows a billion digits; no format needs them. */
const MAX_PRECISION = 100;

/**
 * A number as .NET writes it.
 * @param format a standard format such as `N2` or a pattern such as `#,##0.00`
 * @throws FormatError for one that .NET does not have, or with more than 100 digits
 */
export function formatNumber(value: number, format?: unknown, culture: Culture = INVARIANT): string {
  const text = format === undefined || format === null || format === '' ? 'G' : requireFormat(format);
  const symbols = numberSymbols(culture);
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  const standard = /^([A-Za-z])(\d{0,9})$/.exec(text);
  if (!standard) return writeNumberPattern(toDecimal(value), text, symbols);
  const precision = standard[2] === '' ? undefined : Number(standard[2]);
  if (precision !== undefined && precision > MAX_PRECISION) throw invalid(text);
  return writeStandard(value, standard[1]!, precision, symbols);
}

function writeStandard(value: number, letter: string, precision: number | undefined, symbols: NumberSymbols): string {
  const decimal = toDecimal(value);
  switch (letter.toUpperCase()) {
    case 'N':
      return signed(decimal, precision ?? 2, symbols, grouped);
    case 'F':
      return signed(decimal, precision ?? 2, symbols, plain);
    case 'C':
      return currency(decimal, precision, symbols);
    case 'P': {
      const text = signed(shift(decimal, 2), precision ?? 2, symbols, grouped);
      return symbols.percent.replace('n', text);
    }
    case 'D':
      return integer(value, letter, symbols, (n) => String(n).padStart(precision ?? 0, '0'));
    case 'X': {
      const text = integer(value, letter, { ...symbols, minus: '' }, () =>
        hexadecimal(value).padStart(precision ?? 0, '0'),
      );
      return letter === 'X' ? text.toUpperCase() : text;
    }
    case 'E':
      return exponential(value, letter, precision ?? 6, symbols);
    case 'G':
      return general(value, precision, symbols);
    case 'R':
      return general(value, undefined, symbols);
    default:
      throw invalid(letter);
  }
}

export function invalid(format: string): FormatError {
  return new FormatError(`'${format.slice(0, 50)}' is not a format of numbers.`);
}

type Layout = (rounded: Decimal, symbols: NumberSymbols) => string;

function signed(decimal: Decimal, places: number, symbols: NumberSymbols, layout: Layout): string {
  const rounded = round(decimal, places);
  const text = layout(rounded, symbols);
  return rounded.isNegative && !isZero(rounded) ? symbols.minus + text : text;
}

const plain: Layout = ({ whole, fraction }, { point }) => (whole || '0') + (fraction === '' ? '' : point + fraction);

const grouped: Layout = ({ whole, fraction }, symbols) =>
  symbols.group(whole || '0') + (fraction === '' ? '' : symbols.point + fraction);

function currency(decimal: Decimal, precision: number | undefined, symbols: NumberSymbols): string {
  const { digits, positive, negative } = symbols.currency;
  const rounded = round(decimal, precision ?? digits);
  return (rounded.isNegative && !isZero(rounded) ? negative : positive).replace('n', grouped(rounded, symbols));
}

function integer(value: number, letter: string, { minus }: NumberSymbols, write: (n: bigint) => string): string {
  if (!Number.isInteger(value)) throw new FormatError(`Format '${letter}' takes whole numbers only.`);
  const text = write(BigInt(Math.abs(value)));
  return value < 0 ? minus + text : text;
}

/** Negative numbers in two's complement of 32 or 64 bits. */
function hexadecimal(value: number): string {
  if (value >= 0) return value.toString(16);
  return BigInt.asUintN(value >= -(2 ** 31) ? 32 : 64, BigInt(value)).toString(16);
}

function exponential(value: number, letter: string, precision: number, { point, minus }: NumberSymbols): string {
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential(precision).split('e');
  const power = exponent.slice(1).padStart(3, '0');
  return `${value < 0 ? minus : ''}${mantissa.replace('.', point)}${letter}${exponent.charAt(0)}${power}`;
}

function general(value: number, precision: number | undefined, symbols: NumberSymbols): string {
  const shown = precision ? Number(value.toPrecision(precision)) : value;
  const power = shown === 0 ? 0 : Math.floor(Math.log10(Math.abs(shown)));
  if (power >= (precision || 29) || power < -5) {
    const [mantissa = '', exponent = ''] = Math.abs(shown).toExponential().split('e');
    const digits = exponent.slice(1).padStart(2, '0');
    return `${shown < 0 ? symbols.minus : ''}${mantissa.replace('.', symbols.point)}E${exponent.charAt(0)}${digits}`;
  }
  const decimal = toDecimal(shown);
  return signed(decimal, decimal.fraction.replace(/0+$/, '').length, symbols, plain);
}
