import { getRequest, type HostileRequest } from './hostile-request.js';
import { publishTemplate } from './random-routes.js';

const LONG = 'a'.repeat(14_000);

/** Paths that are short as text and were not so as a program. */
const EXPRESSIONS: readonly (readonly [name: string, expression: string])[] = [
  ['four times up to 999 characters', '.{{0,999}}.{{0,999}}.{{0,999}}.{{0,999}}b'],
  ['thirty times up to 1,000 characters', '.{{0,1000}}'.repeat(30)],
  ['repetitions of repetitions', '((a{{9}}){{10}}){{11}}b'],
  ['repetitions behind a class that looks closed', '[:-[:alpha:](.{{30}}){{30}}[:alpha:]'],
  ['ranges beyond ASCII', '[b-\\u{{1e000}}]'.repeat(28)],
  ['160 Unicode classes', '\\pL|'.repeat(160)],
];

/** Each takes some milliseconds, and all of them fit a path of that shape. */
const leaf = Array.from({ length: 60 }, (_, i) =>
  publishTemplate(`leaf ${i}`, `leaf-${i}`, `leaf/{x:regex(^.{{0,99}}.{{0,99}}.{{0,99}}.{{0,99}}${i}$)}`),
);

export const routeCorpus: readonly HostileRequest[] = [
  ...EXPRESSIONS.map(([name, expression], i) =>
    publishTemplate(`an expression with ${name}, published`, `large-${i}`, `large-${i}/{x:regex(${expression})}`),
  ),
  {
    ...getRequest('/workflows/leaf: 60 expressions for one path', 'GET', `/workflows/leaf/${LONG.slice(0, 120)}`),
    before: leaf,
  },
  publishTemplate('20,000 characters of a template', 'long-template', '{a'.repeat(10_000)),
  publishTemplate('20,000 parameters of a template', 'long-template', '{a}/'.repeat(20_000)),
  // As long as they are asked about, and longer.
  ...['sizes', 'classes'].flatMap((route) =>
    [120, 1000, 14_000].map((length) =>
      getRequest(`/workflows/${route}: ${length} characters`, 'GET', `/workflows/${route}/${LONG.slice(0, length)}`),
    ),
  ),
];
