import type { OpenApiSchema } from '@waymark/runtime';
import type { Chances } from '../bodies/seeded.js';
import { SAMPLE_MEMBERS } from './sample-bodies.js';

/** In the place of what is too deep, or too odd, for `JSON.stringify`; `toText` writes the rest instead. */
const RAW = '\uE000raw:';
const raw = (text: string): string => `${RAW}${text}`;

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\ufeff',
  '😀'.repeat(80),
  'ß'.repeat(256),
  'x'.repeat(300),
  'x'.repeat(70_000),
  '__proto__',
  'constructor',
  'toString',
  "' OR 1=1 --",
  '%_\\',
  '../../etc/passwd',
  '{{ 1 | divided_by: 0 }}',
  '2026-02-31T25:61:00',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '0001-01-01T00:00:00',
  '9999-12-31T23:59:59.9999999+14:00',
  '99999999.23:59:59.9999999',
  '9223372036854775808',
  '1e400',
  'NaN',
];
const ODD_NUMBERS = [
  -1,
  0,
  1.5,
  2_147_483_648,
  -2_147_483_649,
  4_294_967_296,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  Number.MAX_VALUE,
  5e-324,
  raw('9223372036854775808'),
  raw('-9223372036854775809'),
  raw('1e400'),
  raw('-0'),
  raw(`1${'0'.repeat(400)}`),
];
const ODD_OTHERS = [
  null,
  true,
  [],
  {},
  [[]],
  [null],
  raw('{"__proto__":{"a":1},"constructor":{"prototype":{}}}'),
  raw('{"a":1,"a":2,"A":3}'),
  raw(`${'['.repeat(200)}${']'.repeat(200)}`),
  raw(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
  raw(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
  raw(`[${'0,'.repeat(20_000)}0]`),
  { typeName: 'Object', expression: { type: 'JavaScript', value: 'x' } },
];

/** Something that no route asks for. */
export const oddValue = ({ pick }: Chances): unknown =>
  pick(pick<readonly unknown[]>([ODD_TEXTS, ODD_NUMBERS, ODD_OTHERS]));

const DATES = ['2026-08-01T09:00:00Z', '2026-08-01', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];

/** What fits the schema, but for one in `oddness` of its places. @param ids what may stand for an id or a name */
export function randomValue(
  schema: OpenApiSchema,
  chances: Chances,
  ids: readonly string[],
  oddness: number,
  name = '',
): unknown {
  const { next, pick } = chances;
  if (next(oddness) === 0) return oddValue(chances);
  if (schema.enum) return pick(schema.enum);
  if (schema.oneOf) return randomValue(pick(schema.oneOf), chances, ids, oddness, name);
  if (schema.format === 'date-time') return pick(DATES);
  switch (schema.type) {
    case 'string':
      return pick(ids);
    case 'integer':
      return pick([0, 1, 2, 10, 1000, '5']);
    case 'boolean':
      return pick([true, false, 'true']);
    case 'array': {
      const samples = SAMPLE_MEMBERS[name];
      if (samples) return broken(pick(samples), chances, oddness);
      return chances.some(4, () => randomValue(schema.items ?? {}, chances, ids, oddness));
    }
    case 'object': {
      const samples = SAMPLE_MEMBERS[name];
      // Such as the input of a workflow, of which no document knows the members.
      if (samples && !schema.required) return broken(pick(samples), chances, oddness);
      const members = Object.entries(schema.properties ?? {});
      const given = members.filter(([member]) => schema.required?.includes(member) || next(2) === 0);
      return Object.fromEntries(given.map(([member, of]) => [member, randomValue(of, chances, ids, oddness, member)]));
    }
    default: {
      const samples = SAMPLE_MEMBERS[name];
      return samples ? broken(pick(samples), chances, oddness) : oddValue(chances);
    }
  }
}

/** The same with something odd in some places, or less. */
export function broken(value: unknown, chances: Chances, oddness: number): unknown {
  if (chances.next(oddness * 6) === 0) return oddValue(chances);
  if (Array.isArray(value)) return value.map((item) => broken(item, chances, oddness));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(() => chances.next(oddness * 6) !== 0);
  return Object.fromEntries(members.map(([name, member]) => [name, broken(member, chances, oddness)]));
}

export const toText = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    new RegExp(`"${RAW}((?:[^"\\\\]|\\\\.)*)"`, 'g'),
    (_all, text: string) => JSON.parse(`"${text}"`) as string,
  );
