import { anonymousRequest, getRequest, type HostileRequest } from './hostile-request.js';

/** Types of variables that endpoints of the host put bodies into, each at a path of its name in lower case. */
export const CONVERTED_TYPES = [
  'Int32',
  'Int64',
  'Double',
  'Decimal',
  'DateTime',
  'TimeSpan',
  'Guid',
  'Boolean',
  'ByteArray',
];

/** The same, of types that a text is parsed as JSON for. */
export const PARSED_TYPES = ['ObjectDictionary', 'JsonObject'];

const LENGTH = 900_000;
const many = (text: string, length = LENGTH): string => text.repeat(length / text.length);

/** Texts that nearly are numbers, dates, times and ids. Reading one took the square of its length. */
const TEXTS: readonly (readonly [name: string, text: () => string])[] = [
  ['digits', () => many('1')],
  ['digits and a letter', () => `${many('1')}x`],
  ['digits with points', () => many('1.')],
  ['digits behind a point and a letter', () => `1.${many('1')}x`],
  ['zeros and a digit', () => `${many('0')}1`],
  ['a long exponent', () => `1e${many('1')}`],
  ['white space', () => `${many(' ')}x`],
  ['a number between white space', () => `${many(' ')}1${many(' ')}x`],
  ['a date and white space', () => `2026-01-01${many(' ')}x`],
  ['a date with a long fraction', () => `2026-01-01T00:00:00.${many('1')}x`],
  ['a time with a long fraction', () => `1.00:00:00.${many('1')}x`],
  ['a duration', () => `P${many('1')}`],
  ['amounts', () => many('1 day ')],
  ['braces', () => `${many('{')}1`],
  ['an id in white space', () => `{00000000-0000-0000-0000-000000000000${many(' ')}}x`],
  ['hyphens', () => many('-')],
  ['letters of base64', () => `${many('A')}!`],
];

const names = (count: number): string =>
  `{${Array.from({ length: count }, (_, n) => `"${n.toString(36)}":0`).join(',')}}`;
const rounds = (count: number, item: string): string => `[${`${item},`.repeat(count - 1)}${item}]`;

/** JSON that its content type calls a text: no limit of bodies has counted it when it is parsed. */
const PARSED: readonly (readonly [name: string, text: () => string])[] = [
  ['900,000 names', () => names(900_000)],
  ['29,000 names', () => names(29_000)],
  ['500,000 numbers', () => rounds(500_000, '0')],
  ['240,000 numbers', () => rounds(240_000, '0')],
  ['900,000 lists', () => rounds(900_000, '[]')],
  ['120,000 lists', () => rounds(120_000, '[]')],
  ['30,000 rounds', () => rounds(30_000, '{"a":0}')],
  ['braces', () => '{'.repeat(900_000)],
];

const asText = (path: string, name: string, text: () => string): HostileRequest[] => [
  { ...anonymousRequest(`${name} in a text`, path, text, { 'Content-Type': 'text/plain' }), mayFault: true },
  { ...anonymousRequest(`${name} in a text of JSON`, path, () => JSON.stringify(text())), mayFault: true },
];

export const conversionCorpus: readonly HostileRequest[] = [
  ...[...PARSED_TYPES.map((type) => `/workflows/to-${type.toLowerCase()}`), '/workflows/each'].flatMap((path) =>
    PARSED.flatMap(([name, text]) => asText(path, `${path}: ${name}`, text)),
  ),
  ...CONVERTED_TYPES.flatMap((type) =>
    TEXTS.map(([name, text]): HostileRequest =>
      // Text that is no base64 is a fault.
      ({
        ...anonymousRequest(`to a ${type}: ${name}`, `/workflows/to-${type.toLowerCase()}`, () =>
          JSON.stringify(text()),
        ),
        mayFault: true as const,
      }),
    ),
  ),
  ...['int', 'range/3', 'date', 'guid/00000000-0000-0000-0000-000000000000', 'length'].flatMap((route) =>
    TEXTS.map(([name, text]) =>
      getRequest(
        `/workflows/${route}: ${name}`,
        'GET',
        `/workflows/${route}/${encodeURIComponent(text().slice(-4500))}`,
      ),
    ),
  ),
];
