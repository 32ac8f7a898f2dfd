import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleOf } from '../../support/depth.js';
import { Target } from './attack.js';
import { anonymousRequest, FORM, filePart, form, getRequest, type HostileRequest } from './hostile-request.js';
import { send } from './send.js';

const STARTUP_MS = 120_000;
const TOGETHER_MS = 300_000;
const HEAP_MB = 512;
const REQUESTS = 100;
const MB = 1_000_000;
/** Every which adapter and kind a quick run takes. */
const [ADAPTER_SHARE, KIND_SHARE] = [2, 3];

const TEXT = 'x'.repeat(9 * MB);
const URL_ENCODED = { 'Content-Type': 'application/x-www-form-urlencoded' };
const KINDS: readonly HostileRequest[] = [
  anonymousRequest('one text', '/workflows/echo', () => JSON.stringify(TEXT)),
  anonymousRequest('29,000 texts', '/workflows/echo', () => JSON.stringify(Array(29_000).fill('ж'.repeat(155)))),
  anonymousRequest('what is kept', '/workflows/unbound', () => JSON.stringify(TEXT)),
  anonymousRequest('a form', '/workflows/echo', () => `a=${'%41'.repeat(3 * MB)}`, URL_ENCODED),
  anonymousRequest('a file', '/workflows/unbound', () => form([filePart('a', Buffer.alloc(9 * MB, 'x'))]), FORM),
];

describe.each(sampleOf(['express', 'fastify'] as const, ADAPTER_SHARE))('bodies at the same time on %s', (adapter) => {
  let target: Target;
  beforeAll(
    async () => void (target = await Target.start(adapter, undefined, [`--max-old-space-size=${HEAP_MB}`])),
    STARTUP_MS,
  );
  afterAll(() => target.kill());

  it.each(sampleOf(KINDS, KIND_SHARE))(
    '$name, 9 MB each, are answered or refused',
    async (request) => {
      const body = request.body();
      const answers = await Promise.all(Array.from({ length: REQUESTS }, () => send(target.url, request, body)));
      // 0: the rest of a refused body was on its way when the connection ended.
      const statuses = new Set(answers.map(({ status }) => status));
      for (const status of [0, 200, 503]) statuses.delete(status);
      expect([...statuses]).toEqual([]);
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      for (const { body } of answers.filter(({ status }) => status === 503)) expect(body).toMatch(/WM5069|WM5066/);
      const small = anonymousRequest('small', '/workflows/echo', () => '"a"');
      expect(await send(target.url, small, '"a"')).toMatchObject({ status: 200, body: 'a' });
      expect(await send(target.url, getRequest('health', 'GET', '/health/live'), '')).toMatchObject({ status: 200 });
    },
    TOGETHER_MS,
  );
});
