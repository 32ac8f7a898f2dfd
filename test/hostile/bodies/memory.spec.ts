import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeThorough } from '../../support/depth.js';
import { Target } from './attack.js';
import {
  anonymousRequest,
  apiRequest,
  FORM,
  filePart,
  form,
  getRequest,
  type HostileRequest,
} from './hostile-request.js';
import { type Answer, send } from './send.js';

const STARTUP_MS = 120_000;
const TOGETHER_MS = 300_000;
const HEAP_MB = 512;
const REQUESTS = 40;
const REFUSED = /"code":"(?:WM5066|WM5069|WM5080)"/;
const MB = 1_000_000;

const TEXT = 'x'.repeat(9 * MB);
const URL_ENCODED = { 'Content-Type': 'application/x-www-form-urlencoded' };
const KINDS: readonly HostileRequest[] = [
  anonymousRequest('one text', '/workflows/echo', () => JSON.stringify(TEXT)),
  anonymousRequest('29,000 texts', '/workflows/echo', () => JSON.stringify(Array(29_000).fill('ж'.repeat(155)))),
  anonymousRequest('what is kept', '/workflows/unbound', () => JSON.stringify(TEXT)),
  anonymousRequest('a form', '/workflows/echo', () => `a=${'%41'.repeat(3 * MB)}`, URL_ENCODED),
  anonymousRequest('a file', '/workflows/unbound', () => form([filePart('a', Buffer.alloc(9 * MB, 'x'))]), FORM),
];

/** Each client has its answer: what it asked for, or that it should ask again. No connection was cut. */
function expectAllServed(answers: readonly Answer[]): void {
  const wrong = answers.filter(({ status, body }) => status !== 200 && !(status === 503 && REFUSED.test(body)));
  expect(wrong.map(({ status, body }) => [status, body.slice(0, 200)])).toEqual([]);
}

function bodiesAtTheSameTime(adapter: 'express' | 'fastify'): void {
  let target: Target;
  beforeAll(
    async () => void (target = await Target.start(adapter, undefined, [`--max-old-space-size=${HEAP_MB}`])),
    STARTUP_MS,
  );
  afterAll(() => target.kill());

  it.each(KINDS)(
    '$name, 9 MB each, are answered or refused',
    async (request) => {
      const body = request.body();
      const answers = await Promise.all(Array.from({ length: REQUESTS }, () => send(target.url, request, body)));
      expectAllServed(answers);
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      const small = anonymousRequest('small', '/workflows/echo', () => '"a"');
      expect(await send(target.url, small, '"a"')).toMatchObject({ status: 200, body: 'a' });
      expect(await send(target.url, getRequest('health', 'GET', '/health/live'), '')).toMatchObject({ status: 200 });
    },
    TOGETHER_MS,
  );

  it(
    'large definitions that are read by many are answered or refused',
    async () => {
      const text = { typeName: 'String', expression: { type: 'Literal', value: TEXT } };
      const root = { type: 'Elsa.WriteLine', id: 'W', text };
      const model = JSON.stringify({ definitionId: 'large', root });
      const save = apiRequest('save', '/workflow-definitions/import', () => model);
      expect(await send(target.url, save, model)).toMatchObject({ status: 200 });
      const paths = ['/workflow-definitions/by-definition-id/large', '/workflow-definitions/large/export'];
      const requests = Array.from({ length: 40 }, (_, i) =>
        apiRequest('read', paths[i % 2]!, () => '', { method: 'GET' }),
      );
      const list = apiRequest('list', '/workflow-definitions?versionOptions=Latest', () => '', { method: 'GET' });
      const answers = await Promise.all(
        [...requests, list, list, list].map((request) => send(target.url, request, '')),
      );
      expectAllServed(answers);
      expect(answers.filter(({ body }) => body.length > TEXT.length).length).toBeGreaterThan(0);
      expect(await send(target.url, getRequest('health', 'GET', '/health/live'), '')).toMatchObject({ status: 200 });
    },
    TOGETHER_MS,
  );
}

// A host is filled with hundreds of megabytes, on each adapter; fewer of them would fill none.
describeThorough('the memory of a host', () => {
  describe.each(['express', 'fastify'] as const)('with bodies at the same time on %s', bodiesAtTheSameTime);
});
