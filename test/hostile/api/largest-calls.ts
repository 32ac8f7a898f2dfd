import type { OpenApiSchema } from '@waymark/runtime';
import { apiRequest, type HostileRequest } from '../bodies/hostile-request.js';
import type { Operation } from './api-document.js';
import { SAMPLE_BODIES, SAMPLE_MEMBERS } from './sample-bodies.js';

/** As many values as a body may have, or as many as fit into the bytes that it may have. */
const MANY = 90_000;
const BYTES = 900_000;

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `n${i}`);
const wide = (count: number, value: unknown = 1): object =>
  Object.fromEntries(names(count).map((name) => [name, value]));
const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = i % 2 ? [value] : { a: value };
  return value;
};

/** What fits the schema, as small as it may be. */
function smallest(schema: OpenApiSchema, name = ''): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf) return smallest(schema.oneOf[0]!, name);
  if (schema.format === 'date-time') return '2026-08-01T09:00:00Z';
  switch (schema.type) {
    case 'string':
      return 'n1';
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return SAMPLE_MEMBERS[name]?.[0] ?? [smallest(schema.items ?? {}, name)];
    default: {
      const sample = SAMPLE_MEMBERS[name]?.[0];
      if (sample !== undefined) return sample;
      const members = Object.entries(schema.properties ?? {}).filter(([member]) => schema.required?.includes(member));
      return Object.fromEntries(members.map(([member, of]) => [member, smallest(of, member)]));
    }
  }
}

/** The same as large as it is taken, in each way that it can be large. */
function* largest(schema: OpenApiSchema, name = ''): Generator<readonly [how: string, value: unknown]> {
  if (schema.enum || schema.format === 'date-time' || schema.type === 'boolean') return;
  if (schema.oneOf) {
    for (const one of schema.oneOf) yield* largest(one, name);
    return;
  }
  switch (schema.type) {
    case 'string':
      yield ['a long text', 'x'.repeat(BYTES)];
      yield ['a text beyond the plane', '😀'.repeat(BYTES / 4)];
      yield ['a text of wildcards', '%_'.repeat(BYTES / 2)];
      break;
    case 'integer':
      yield ['a large number', 2 ** 31 - 1];
      yield ['a larger number', Number.MAX_SAFE_INTEGER];
      break;
    case 'array': {
      const item = schema.items ?? {};
      const isText = item.type === 'string' && !item.enum;
      const one = smallest(item, name);
      yield ['many different items', isText ? names(MANY) : Array.from({ length: MANY / 4 }, () => one)];
      yield ['a list of wrong items', Array.from({ length: MANY }, () => 1.5)];
      yield ['as many as an action takes', isText ? names(9900) : Array.from({ length: 900 }, () => one)];
      if (isText) yield ['long items', Array.from({ length: 90 }, (_, i) => `${i}`.repeat(9900).slice(0, 9900))];
      break;
    }
    default:
      yield ['many members', wide(MANY)];
      yield ['deep', deep(60)];
      yield ['long values', wide(90, 'x'.repeat(9900))];
      for (const [member, of] of Object.entries(schema.properties ?? {}))
        for (const [how, value] of largest(of, member))
          yield [`${member}: ${how}`, { ...(smallest(schema, name) as object), [member]: value }];
  }
}

const RULED = /\{(\w+)\}/g;
const GET_LENGTH = 14_000;

/**
 * Calls of a route with what is largest of all that it takes: one for each member of its request, each with all else as small as it
 * may be. @param idOf what stands in the place of a name in the path
 */
export function* largestCalls(operation: Operation, idOf: (name: string) => string): Generator<HostileRequest> {
  const { method, path: template, request } = operation;
  const path = template.replaceAll(RULED, (_all, name: string) => encodeURIComponent(idOf(name)));
  if (!request) {
    // A body that the route does not read.
    if (method !== 'GET')
      yield apiRequest(`${method} ${template}: unread`, path, () => JSON.stringify(wide(MANY)), { method });
    return;
  }
  const sample = SAMPLE_BODIES.find(([pattern]) => pattern.test(template))?.[1][0] as object | undefined;
  for (const [how, value] of largest(request)) {
    const name = `${method} ${template}: ${how}`;
    if (method === 'GET') yield apiRequest(name, path + queryOf(value), () => '', { method, type: {} });
    else yield apiRequest(name, path, () => JSON.stringify({ ...sample, ...(value as object) }), { method });
  }
}

function queryOf(value: unknown): string {
  const pairs: string[] = [];
  let length = 0;
  for (const [name, given] of Object.entries(value as object))
    for (const one of Array.isArray(given) ? given : [given]) {
      const text = (typeof one === 'string' ? one : JSON.stringify(one)).slice(0, 3000);
      const pair = `${name}=${encodeURIComponent(text)}`;
      length += pair.length + 1;
      if (length > GET_LENGTH) return `?${pairs.join('&')}`;
      pairs.push(pair);
    }
  return `?${pairs.join('&')}`;
}
