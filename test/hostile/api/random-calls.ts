import { apiRequest, FORM, filePart, form, type HostileRequest } from '../bodies/hostile-request.js';
import { type Chances, chancesOf } from '../bodies/seeded.js';
import type { Operation } from './api-document.js';
import { broken, oddValue, randomValue, toText } from './random-values.js';
import { SAMPLE_BODIES } from './sample-bodies.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const ODD_TYPES: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'Content-Type': 'text/plain' },
  { 'Content-Type': 'application/json; charset=utf-16' },
  { 'Content-Type': 'application/json;' },
  { 'Content-Type': 'multipart/form-data' },
  { 'Content-Type': '\u00e4/\u00f6' },
  { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
];
const ODD_BODIES = ['', 'null', '[]', '"x"', '1', '{', '{}', '\ufeff{}', '\0', '{"a":1}}', '{"":""}'];

/** Bodies of these hold a definition: an odd place in each tenth member would never let one be understood. */
const OF_DEFINITIONS = /^\/workflow-definitions(\/|$)/;

/** A call of that route, made by a seed. @param ids what exists, and what may stand in the place of an id */
export function randomCall(operation: Operation, seed: number, ids: readonly string[]): HostileRequest {
  const chances = chancesOf(seed);
  const { next } = chances;
  const { method } = operation;
  const oddness = OF_DEFINITIONS.test(operation.path) ? 12 : 5;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => pathValue(name, chances, ids));
  const request = operation.request ? randomValue(operation.request, chances, ids, oddness) : undefined;
  const inQuery = method === 'GET' || method === 'DELETE' || next(6) === 0;
  const query = inQuery ? queryOf(request, chances) : '';
  const name = `${method} ${operation.path}, seed ${seed}`;
  if (method === 'GET') return apiRequest(name, path + query, () => '', { method, type: {} });
  if (method === 'POST' && /import-files$|import\/workflow-instances$/.test(operation.path) && next(2) === 0) {
    const content = toText(bodyOf(operation, request, chances, oddness));
    return apiRequest(name, path + query, () => form([filePart('fuzzed.json', content)]), { type: FORM });
  }
  const type = next(8) === 0 ? chances.pick(ODD_TYPES) : JSON_TYPE;
  const text = next(8) === 0 ? chances.pick(ODD_BODIES) : toText(bodyOf(operation, request, chances, oddness));
  return apiRequest(name, path + query, () => text, { method, type });
}

function bodyOf({ path }: Operation, request: unknown, chances: Chances, oddness: number): unknown {
  const samples = SAMPLE_BODIES.find(([pattern]) => pattern.test(path))?.[1];
  if (!samples) return request ?? {};
  const sample = broken(chances.pick(samples), chances, oddness);
  const isObject = typeof sample === 'object' && sample !== null && !Array.isArray(sample);
  return isObject && typeof request === 'object' ? { ...sample, ...request } : sample;
}

/** Paths that would be none, or another one, are no calls of the route. */
function pathValue(name: string, { next, pick }: Chances, ids: readonly string[]): string {
  const value = next(4) === 0 ? pick(ODD_SEGMENTS) : name === 'version' ? pick(['1', '2', '0']) : pick(ids);
  return value.startsWith('%') ? value : encodeURIComponent(value);
}
const ODD_SEGMENTS = [
  '%00',
  '%',
  '%zz',
  '%c0%af',
  '%ed%a0%80',
  '%2F..%2F',
  '-1',
  '1e9',
  '99999999999999999999',
  '__proto__',
  'constructor',
  'x'.repeat(256),
  '😀'.repeat(100),
  "'; DROP TABLE x",
  'a\nb',
  ' ',
  '\u202e',
];

function queryOf(request: unknown, chances: Chances): string {
  if (typeof request !== 'object' || request === null)
    return chances.next(2) === 0 ? '' : '?%00=%&=&a[b]=1&__proto__=1';
  const pairs = Object.entries(request).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => `${name}=${inUrl(one, chances)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Longest that Node takes in a head, or nearly. */
const LONGEST = 4000;

function inUrl(value: unknown, chances: Chances): string {
  const text = typeof value === 'string' ? value : toText(value ?? oddValue(chances));
  return encodeURIComponent(Buffer.from(text.slice(0, LONGEST)).toString());
}
