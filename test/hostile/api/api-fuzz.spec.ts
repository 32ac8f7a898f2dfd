import { afterAll, beforeAll, expect, it, test } from '@jest/globals';
import { ACCESS } from '../../e2e/host-access.js';
import { testBackends } from '../../support/backends.js';
import type { OpenApiDocument } from '@waymark/runtime';
import { AnswerCheck } from '../../../libs/api/src/openapi/testing/answer-check.js';
import { isThorough } from '../../support/depth.js';
import { describeOn } from '../../support/describe-on.js';
import { runInTurn } from '../../support/pairs.js';
import { Target } from '../bodies/attack.js';
import { apiRequest, type HostileRequest } from '../bodies/hostile-request.js';
import { type Answer, send } from '../bodies/send.js';
import { type Operation, operationsOf } from './api-document.js';
import { randomCall } from './random-calls.js';

// Calls of every route of the management API, by someone who may do everything, made from the OpenAPI document that the API gives of
// itself. None is answered by a 5xx but the 503s that docs/api.md names, each ends, and what is answered is as the document says.

const STARTUP_MS = 120_000;
/** Ends a run that hangs; longer runs need longer. */
const ALL_MS = 600_000;
/** Of each route. For longer runs: WAYMARK_FUZZ_SEEDS=100 WAYMARK_FUZZ_SEED=1000. */
const SEEDS = Number(process.env.WAYMARK_FUZZ_SEEDS ?? (isThorough ? 6 : 2));
const FIRST_SEED = Number(process.env.WAYMARK_FUZZ_SEED ?? 1);
/** After it the node takes no work any more: the last of all. */
const ENDING = 'POST /admin/workflow-runtime/force-drain';
/** What changes most comes late, so that those before find something. */
const RUINING = /^DELETE |\/delete\/|\/cancel\/|\/reload$|\/pause$/;
/** Of a faulted workflow, its state comes with a 500, as in Elsa. */
const EXECUTES = /\/execute$/;

const keyOf = ({ method, path }: Operation): string => `${method} ${path}`;
const adapterFor = { sqlite: 'express', mysql: 'fastify', postgres: 'fastify' } as const;

const call = (target: Target, path: string, method = 'GET', body = ''): Promise<Answer> => {
  const request = apiRequest(path, path, () => body, { method });
  return send(target.url, request, body);
};

/** Ids of what the node has, and some of nothing. */
async function findIds(target: Target): Promise<string[]> {
  for (const definition of ['keep', 'hoard', 'crowd'])
    for (let i = 0; i < 3; i++) await call(target, `/workflow-definitions/${definition}/execute`, 'POST', '{}');
  const instances = JSON.parse((await call(target, '/workflow-instances')).body) as { items: { id: string }[] };
  const definitions = JSON.parse((await call(target, '/workflow-definitions')).body) as {
    items: { id: string; definitionId: string }[];
  };
  const { id } = instances.items[0]!;
  const exported = (await call(target, `/workflow-instances/${id}/export?includeBookmarks=true`)).body;
  const bookmark = /"id":\s*"([^"]+)"/.exec(exported.slice(exported.search(/"bookmarks"/i)))?.[1] ?? 'none';
  return [
    ...instances.items.map((instance) => instance.id),
    ...definitions.items.slice(0, 10).flatMap((definition) => [definition.id, definition.definitionId]),
    bookmark,
    'Wait',
    'Elsa.WriteLine',
    'Elsa.HttpEndpoint',
    'Elsa.Event',
    'hoard',
    'fuzzed',
    'imported',
    'none',
  ];
}

function isRight(operation: Operation, { status, body }: Answer): boolean {
  if (status <= 0) return false;
  if (status === 503) return /"code":"WM\d+"/.test(body);
  if (status >= 500) return EXECUTES.test(operation.path) && /"workflowState"/.test(body);
  return status !== 400 || /errors|"code"|"message"/.test(body);
}

const backends = await testBackends('sqlite', 'mysql', 'postgres');

runInTurn(() => {
  describeOn(backends, 'every route of the API, on $name', (backend) => {
    let target: Target;
    let document: Operation[];
    let check: AnswerCheck;
    let ids: string[];
    beforeAll(async () => {
      target = await Target.start(adapterFor[backend.name as keyof typeof adapterFor], {
        url: backend.url!,
        tablePrefix: backend.tablePrefix,
      });
      const described = JSON.parse((await call(target, '/openapi.json')).body) as OpenApiDocument;
      document = operationsOf(described);
      check = new AnswerCheck(described);
      ids = await findIds(target);
    }, STARTUP_MS);
    afterAll(async () => {
      await target.kill();
      await backend.drop();
    }, STARTUP_MS);

    it('each route of the API is described', () => {
      const known = Object.keys(ACCESS).filter((route) => /^(GET|POST|PUT|DELETE) \/elsa\/api\//.test(route));
      const described = document.map((operation) => keyOf(operation).replaceAll(/\{(\w+)\}/g, ':$1'));
      expect(described.map((route) => route.replace(' ', ' /elsa/api')).sort()).toEqual(known.sort());
      // With all that their readers take.
      const list = document.find((operation) => keyOf(operation) === 'POST /workflow-instances')!.request!;
      expect(list.properties).toMatchObject({
        pageSize: { type: 'integer' },
        hasIncidents: { type: 'boolean' },
        statuses: { type: 'array', items: { enum: ['Running', 'Finished'] } },
        timestampFilters: { items: { required: ['column', 'operator', 'timestamp'] } },
      });
    });

    it(
      'answers any request',
      async () => {
        const order = document
          .filter((operation) => keyOf(operation) !== ENDING)
          .sort((a, b) => Number(RUINING.test(keyOf(a))) - Number(RUINING.test(keyOf(b))));
        const wrong: object[] = [];
        const ask = async (operation: Operation, request: HostileRequest) => {
          const body = request.body();
          const answer = await send(target.url, request, body);
          const { status, body: text, contentType = '' } = answer;
          const { method, path } = request;
          const problems = check.problemsOf({ method, path, status, contentType, text });
          if (!isRight(operation, answer) || problems.length > 0)
            wrong.push({
              problems,
              name: request.name,
              path: request.path.slice(0, 200),
              sent: body.toString().slice(0, 2000),
              ...answer,
            });
        };
        for (const operation of order)
          for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            await ask(operation, randomCall(operation, seed * 1000 + document.indexOf(operation), ids));
            if (operation.path.endsWith('pause')) await call(target, '/admin/workflow-runtime/resume', 'POST', '{}');
          }
        expect(wrong).toEqual([]);
        // Whatever they did, the node works.
        expect((await call(target, '/workflow-instances')).status).toBe(200);
        expect((await call(target, ENDING.slice('POST '.length), 'POST', '{}')).status).toBe(200);
        expect((await call(target, '/workflow-definitions/echo/execute', 'POST', '{}')).status).toBeGreaterThanOrEqual(
          400,
        );
      },
      ALL_MS,
    );
  });
});

test('the same seed makes the same call', () => {
  const operation: Operation = {
    method: 'POST',
    path: '/things/{id}',
    request: {
      type: 'object',
      properties: { ids: { type: 'array', items: { type: 'string' } }, count: { type: 'integer' } },
    },
  };
  const shown = (seed: number) => {
    const { path, headers, body } = randomCall(operation, seed, ['a', 'b']);
    return [path, headers, body().toString()];
  };
  const seeds = Array.from({ length: 20 }, (_, seed) => seed);
  expect(seeds.map(shown)).toEqual(seeds.map(shown));
  expect(new Set(seeds.map((seed) => JSON.stringify(shown(seed)))).size).toBeGreaterThan(10);
});
