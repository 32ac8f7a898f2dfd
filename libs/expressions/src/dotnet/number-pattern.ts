import { type Decimal, isZero, round, shift } from './decimal.js';
import type { NumberSymbols } from './number-symbols.js';

/**
 * A number in a pattern of .NET: `0` and `#` for digits, `.` `,` `%` `‰`, quoted text, and sections for positive numbers,
 * negative ones and zero (`0.00;(0.00);none`). Scientific patterns (`0.0E+0`) are written with their letters as text.
 */
export function writeNumberPattern(decimal: Decimal, pattern: string, symbols: NumberSymbols): string {
  const sections = splitSections(pattern);
  const [positive = ''] = sections;
  if (isZero(decimal) && sections[2]) return write(decimal, sections[2], symbols);
  if (decimal.isNegative && sections[1]) {
    const { text, isAllZero } = writeSection(decimal, sections[1], symbols);
    return isAllZero && sections[2] ? write(decimal, sections[2], symbols) : text;
  }
  const { text, isAllZero } = writeSection(decimal, positive, symbols);
  if (isAllZero && sections[2]) return write(decimal, sections[2], symbols);
  return decimal.isNegative && !isAllZero ? symbols.minus + text : text;
}

const write = (decimal: Decimal, section: string, symbols: NumberSymbols): string =>
  writeSection(decimal, section, symbols).text;

/** A quoted text, an escaped character, or one character. */
const token = /'[^']*'?|"[^"]*"?|\\[\s\S]|[\s\S]/g;

function splitSections(pattern: string): string[] {
  const sections = [''];
  for (const [part] of pattern.matchAll(token)) {
    if (part === ';') sections.push('');
    else sections[sections.length - 1] += part;
  }
  return sections;
}

interface Section {
  readonly parts: readonly string[];
  readonly hasGroups: boolean;
  /** Powers of ten that the number is multiplied with. */
  readonly scale: number;
  readonly wholeDigits: readonly string[];
  readonly fractionDigits: readonly string[];
}

function readSection(section: string): Section {
  const parts = [...section.matchAll(token)].map(([part]) => part);
  const point = parts.indexOf('.');
  const before = point < 0 ? parts : parts.slice(0, point);
  const isDigit = (part: string): boolean => part === '0' || part === '#';
  const lastDigit = before.findLastIndex(isDigit);
  const commasAfter = before.slice(lastDigit + 1).filter((part) => part === ',').length;
  const firstDigit = before.findIndex(isDigit);
  return {
    parts,
    hasGroups: firstDigit >= 0 && before.slice(firstDigit, lastDigit).includes(','),
    scale:
      2 * parts.filter((part) => part === '%').length +
      3 * parts.filter((part) => part === '‰').length -
      3 * (lastDigit >= 0 ? commasAfter : 0),
    wholeDigits: before.filter(isDigit),
    fractionDigits: point < 0 ? [] : parts.slice(point).filter(isDigit),
  };
}

function writeSection(decimal: Decimal, text: string, symbols: NumberSymbols): { text: string; isAllZero: boolean } {
  const section = readSection(text);
  const rounded = round(shift(decimal, section.scale), section.fractionDigits.length);
  const isAllZero = isZero(rounded);
  const queue = {
    whole: wholeTexts(rounded.whole, section, symbols),
    fraction: fractionTexts(rounded.fraction, section),
  };
  let out = '';
  let isBehindPoint = false;
  for (const part of section.parts) {
    if (part === '0' || part === '#') out += (isBehindPoint ? queue.fraction : queue.whole).shift() ?? '';
    else if (part === '.') {
      if (!isBehindPoint && queue.fraction.some((digit) => digit !== '')) out += symbols.point;
      isBehindPoint = true;
    } else if (part === '%') out += symbols.percentSign;
    else if (part !== ',') out += literal(part);
  }
  return { text: out, isAllZero };
}

/** What each digit of the pattern writes; the first one takes all digits that are left. */
function wholeTexts(whole: string, { wholeDigits, hasGroups }: Section, symbols: NumberSymbols): string[] {
  const firstZero = wholeDigits.indexOf('0');
  const padded = whole.padStart(firstZero < 0 ? 0 : wholeDigits.length - firstZero, '0');
  const texts = wholeDigits.map(() => '');
  if (padded === '') return texts;
  const digits = padded.split('');
  // Separators stand behind a digit when a group of three begins after it.
  const shown = digits.map((digit, i) => {
    const left = digits.length - 1 - i;
    return hasGroups && left > 0 && left % 3 === 0 ? digit + symbols.separator : digit;
  });
  for (let i = texts.length - 1; i > 0; i--) texts[i] = shown.pop() ?? '';
  texts[0] = shown.join('');
  return texts;
}

function fractionTexts(fraction: string, { fractionDigits }: Section): string[] {
  const lastZero = fractionDigits.lastIndexOf('0');
  const significant = fraction.replace(/0+$/, '').length;
  return fractionDigits.map((_, i) => (i <= lastZero || i < significant ? fraction.charAt(i) : ''));
}

function literal(part: string): string {
  const quote = part.charAt(0);
  if (quote === "'" || quote === '"') return part.slice(1, part.length > 1 && part.endsWith(quote) ? -1 : undefined);
  return quote === '\\' ? part.slice(1) : part;
}
