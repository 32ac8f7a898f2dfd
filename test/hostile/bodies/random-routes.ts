import { apiRequest, getRequest, type HostileRequest } from './hostile-request.js';
import { chancesOf, type Chances } from './seeded.js';

/** Routes of `hostile-node.ts` that are picky about their parameters, each in its own way. */
export const TEMPLATES = [
  'int/{id:int}',
  'range/{n:range(1,5)}/{m:long?}',
  'date/{at:datetime}',
  'guid/{id:guid}/{double:double}',
  'length/{s:length(3,8):alpha}',
  'files/{folder}/{*rest}',
  'names/{name}.{ext?}',
  'parts/{a}-{b}-{c}-{d}-{e}-{f}',
  'same/{a}a{b}a{c}a{d}a{e}',
  'nested/{x:regex((a|a)+b)}',
  'stars/{x:regex(^a*a*a*a*a*a*a*a*b$)}/{y:regex((x+x+)+y)}',
  'sizes/{x:regex(.{{0,200}}.{{0,200}}b)}',
  'classes/{x:regex((?:a|b|c|d|e|f)*?[abc][^a](?:.|x){{80}}y)}',
  'many/{a:alpha}/{b:alpha}/{c:alpha}/{d:alpha}/{e:alpha}',
  'many/{a}/{b}/{c}/{d}/{e}',
  'many/{a:int}/{b}/{c:int}/{d}/{*e}',
] as const;

const SEGMENTS = [
  '',
  '.',
  '..',
  '...',
  '%2e%2e',
  '%2f',
  '%5c',
  '%00',
  '%',
  '%ff',
  '%c0%af',
  '%f0%9f%82%a1',
  '%0d%0aX-A:%20b',
  '__proto__',
  'constructor',
  '*',
  ':id',
  '{id}',
  '0',
  '-1',
  '99999999999999999999999999',
  '1e400',
  'İ',
  '2026-13-45T99:99',
  '{00000000-0000-0000-0000-000000000000}',
  'a.b.c',
  '~',
  ';a=b',
];
const GUID = '00000000-0000-0000-0000-000000000000';
const REPEATED = ['a', 'A', '-', '.', 'ab', 'xx', 'aa-', '0', '/', '/a', '/1', '%61', '%2F', 'ı', '(', 'é'];
const METHODS = ['GET', 'GET', 'GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'];
const QUERY = [
  'a=b',
  '__proto__=1',
  'a[]=1',
  'a[b]=1',
  '=',
  '&&&',
  '%',
  '%ff=%00',
  'workflowInstanceId=..%2f',
  'a=%0d%0a',
];

/** A path that a stranger may ask for: odd segments, and long rows of what constraints and literals repeat. */
export function randomPath(seed: number): HostileRequest {
  const chances = chancesOf(seed);
  const { pick, some, next } = chances;
  const long = (): string => pick(REPEATED).repeat(1 + next(next(4) ? 60 : 6000));
  const segment = (): string => (next(2) ? pick(SEGMENTS) : long() + pick(['', 'b', 'y', '!', '-']));
  const fitting = (): string => pick(['1', 'a', 'b', 'ab', 'aab', '2026-01-01', 'a.b', '5', 'xxy', GUID, 'ü', 'a%20b']);
  // Most have the shape of a template: else few would get beyond the first segment.
  const shape = pick(TEMPLATES).replace(/\{(?:[^{}]|\{\{|\}\})*\}/g, () => (next(3) ? fitting() : segment()));
  const more = next(3) ? [] : some(6, segment);
  const segments = [pick(['workflows', 'workflows', 'workflows', 'workflows', 'elsa/api', '']), shape, ...more];
  const query = next(3) ? '' : `?${some(20, () => pick(QUERY)).join('&')}`;
  // Node's server refuses longer ones itself.
  const path = `/${segments.join('/')}`.slice(0, 14_000).replace(/[^\x21-\x7e]/g, encodeURIComponent) + query;
  return getRequest(`route ${seed}`, pick(METHODS), path);
}

const PARTS = ['a', '{a}', '{b?}', '{*c}', '{**c}', '{a:int}', '{a=1}', '-', '.', '{', '}', '{{', '}}', '~', '//', ' '];
const EXPRESSIONS = [
  '(a|a)+b',
  '^(a*)*$',
  '(x+x+)+y',
  '([a-z]+)*!',
  '(.*)*',
  '[',
  '(?=a)',
  '\\\\1',
  'a{1,1000}',
  '.{{0,999}}',
  '((.{{9}}){{9}}){{9}}',
  '[b-\\u{{1e000}}]',
  '\\pL',
  '(?:)',
];

/** A template that an author publishes: whatever it says, the answer is a problem or a route, and both come soon. */
export const randomTemplate = (seed: number): HostileRequest =>
  publishTemplate(`template ${seed}`, `template-${seed % 50}`, templateOf(chancesOf(seed)));

/** Publishes a workflow with an endpoint of that path. */
export function publishTemplate(name: string, definitionId: string, template: string): HostileRequest {
  const value = (text: unknown, typeName: string) => ({ typeName, expression: { type: 'Literal', value: text } });
  const model = {
    definitionId,
    root: {
      type: 'Elsa.HttpEndpoint',
      id: 'E',
      customProperties: { canStartWorkflow: true },
      path: value(template, 'String'),
    },
  };
  return apiRequest(name, '/workflow-definitions', () => JSON.stringify({ model, publish: true }));
}

function templateOf({ next, pick, some }: Chances): string {
  const part = (): string => {
    switch (next(4)) {
      case 0:
        return `{p${next(5)}:regex(${pick(EXPRESSIONS).repeat(1 + next(next(5) ? 3 : 80))})}`;
      case 1:
        return `{p${next(20)}}`;
      default:
        return pick(PARTS);
    }
  };
  const segment = (): string => some(next(8) ? 4 : 60, part).join(pick(['', '-', '']));
  return `t${next(50)}/${some(next(6) ? 5 : 120, segment).join('/')}`;
}
