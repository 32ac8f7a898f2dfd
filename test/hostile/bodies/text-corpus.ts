import { anonymousRequest, apiRequest, form, FORM, type HostileRequest } from './hostile-request.js';

const MB = 1_000_000;
/** As much as an endpoint takes that says nothing of limits. */
const MOST = 9.9 * MB;
const PATHS = ['/workflows/echo', '/workflows/text', '/workflows/keep'];
const URL_ENCODED = { 'Content-Type': 'application/x-www-form-urlencoded' };
const repeated = (text: string, bytes = MOST): string => text.repeat(Math.floor(bytes / text.length));

/** Of texts in another encoding, escapes that switch between its parts cost most. */
const ENCODED: readonly (readonly [charset: string, bytes: () => Buffer])[] = [
  ['iso-2022-jp', () => Buffer.from(repeated('\u001b$B0!\u001b(B'), 'latin1')],
  ['iso-2022-jp', () => Buffer.alloc(MOST, 'a')],
  ['gb18030', () => Buffer.alloc(MOST, Buffer.from([0x81, 0x30, 0x81, 0x30]))],
  ['gb18030', () => Buffer.alloc(MOST, 0xff)],
  ['shift_jis', () => Buffer.alloc(MOST, Buffer.from([0x88, 0x9f]))],
  ['euc-kr', () => Buffer.alloc(MOST, Buffer.from([0xb0, 0xa1]))],
  ['big5', () => Buffer.alloc(MOST, Buffer.from([0xa4, 0x40]))],
  ['utf-16le', () => Buffer.alloc(MOST, Buffer.from([0x00, 0xd8]))],
  ['windows-1251', () => Buffer.alloc(MOST, 0xe6)],
  ['utf-8', () => Buffer.alloc(MOST, 0xff)],
  ['no-such-charset', () => Buffer.alloc(MOST, 0xff)],
];

/** Characters that take more room when they are written than when they come. */
const WRITTEN: readonly (readonly [name: string, char: string])[] = [
  ['NULs', '\0'],
  ['quotation marks', '"'],
  ['line breaks', '\n'],
  ['U+2028', '\u2028'],
  ['surrogates', '\u{1f600}'],
];

const toTexts = PATHS.flatMap((path) => [
  ...ENCODED.map(([charset, bytes], i) =>
    anonymousRequest(`${path}: 9.9 MB of ${charset}, ${i}`, path, bytes, {
      'Content-Type': `text/plain; charset=${charset}`,
    }),
  ),
  ...WRITTEN.map(([name, char]) =>
    anonymousRequest(`${path}: 9.9 MB of ${name}`, path, () => Buffer.alloc(MOST, char), {
      'Content-Type': 'text/plain',
    }),
  ),
  ...WRITTEN.slice(0, 3).map(([name, char]) =>
    anonymousRequest(`${path}: a JSON text of 9.9 MB of ${name}`, path, () => {
      const escaped = JSON.stringify(char).slice(1, -1);
      return `"${repeated(escaped)}"`;
    }),
  ),
]);

const toForms = ['/workflows/echo', '/workflows/keep'].flatMap((path) => [
  anonymousRequest(`${path}: 9.9 MB of &`, path, () => '&'.repeat(MOST), URL_ENCODED),
  anonymousRequest(`${path}: 9.9 MB of =&`, path, () => repeated('=&'), URL_ENCODED),
  anonymousRequest(
    `${path}: 9,999 fields of 1 kB`,
    path,
    () => Array.from({ length: 9999 }, (_, i) => `f${i}=${'%41'.repeat(300)}`).join('&'),
    URL_ENCODED,
  ),
  anonymousRequest(
    `${path}: 9,999 names of 1 kB`,
    path,
    () => Array.from({ length: 9999 }, (_, i) => `${'n'.repeat(950)}${i}`).join('&'),
    URL_ENCODED,
  ),
  anonymousRequest(
    `${path}: a form of 9,999 short fields`,
    path,
    () =>
      form(
        Array.from({ length: 9999 }, (_, i) => ({ head: `Content-Disposition: form-data; name="f${i}"`, content: '' })),
      ),
    FORM,
  ),
]);

/** Names that are looked at letter by letter: each is different, and ends nearly as one that is hidden. */
const nearly = (ending: string): string =>
  `{${Array.from({ length: 400_000 }, (_, i) => `"a${i}${ending}":1`).join(',')}}`;

const toNames = ['token', 'ken', 'hash', 'PWD', 'ж', '_1'].map((ending) =>
  anonymousRequest(`/workflows/text: 400,000 names that end in ${ending}`, '/workflows/text', () => nearly(ending)),
);

const toDefinitions = ['/workflow-definitions/import', '/workflow-definitions'].flatMap((path) => {
  const around = (root: string) => (path.endsWith('import') ? `{"root":${root}}` : `{"model":{"root":${root}}}`);
  const line = (value: string) =>
    around(`{"type":"Elsa.WriteLine","id":"W","text":{"expression":{"type":"Literal","value":${value}}}}`);
  return [
    apiRequest(`${path}: a text of 9.9 MB`, path, () => line(JSON.stringify('x'.repeat(MOST)))),
    apiRequest(`${path}: 9.9 MB of escapes`, path, () => line(`"${repeated('\\u0000')}"`)),
    apiRequest(`${path}: 60 MB`, path, () => line(JSON.stringify('x'.repeat(60 * MB)))),
  ];
});

export const textCorpora: readonly (readonly HostileRequest[])[] = [toTexts, toForms, toNames, toDefinitions];
