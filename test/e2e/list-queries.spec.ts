import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ManagementOpenApi, WorkflowApiModule } from '@waymark/api';
import type { OpenApiOperation, OpenApiSchema } from '@waymark/runtime';
import { act, lit, obj } from '../../libs/http/src/serving/testing/endpoint-definitions.js';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { sampleOf } from '../support/depth.js';
import { describeOn } from '../support/describe-on.js';
import { startWhole, type WholeApplication } from './whole-application.js';

// Paging, order and filters of every route that lists, with the values at and beyond the edges of what its description says. Random
// values, of all routes: test/hostile/api.

const API = '/elsa/api';
const PATIENCE_MS = 240_000;
/** Every which attempt a quick run takes. */
const SHARE = 8;
const MANY = 1_000_000_000;
const LATE = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00Z'];
const TEXTS = ['', ' ', '%', "' OR 1=1 --", '\0', '💥', '\u202e', 'x'.repeat(3000), '__proto__', '-1', 'NaN'];
/** Members of bodies that list, which their routes have no others beside. */
const PAGING = ['page', 'pageSize', 'skip', 'take', 'limit'];

interface Listing {
  readonly method: 'GET' | 'POST';
  /** As described. */
  readonly path: string;
  readonly members: Readonly<Record<string, OpenApiSchema>>;
}

interface Attempt {
  readonly value: unknown;
  /** If true, refused, and the answer names the member. Undefined: either, but well. */
  readonly isWrong?: boolean;
}

const right = (...values: unknown[]): Attempt[] => values.map((value) => ({ value, isWrong: false }));
const wrong = (...values: unknown[]): Attempt[] => values.map((value) => ({ value, isWrong: true }));
const either = (...values: unknown[]): Attempt[] => values.map((value) => ({ value }));

/** What is tried with a member that has such a description. */
function attemptsOf({ type, format, minimum, enum: values, items }: OpenApiSchema): Attempt[] {
  if (type === 'array') return items ? attemptsOf(items) : [];
  if (values) return [...right(...values, ''), ...wrong('Nope', '99', '-1')];
  if (format === 'date-time')
    return [...right('2026-08-01T09:00:00Z'), ...wrong('never', '31.12.2026'), ...either(...LATE)];
  switch (type) {
    case 'integer':
      return [
        ...right(minimum ?? 0, 1, 2),
        ...wrong('NaN', '1.5', 'x', '1e999', '99999999999999999999'),
        ...either(0, MANY, 2 ** 31, Number.MAX_SAFE_INTEGER),
        ...(minimum === undefined ? either(-1) : wrong(minimum - 1)),
      ];
    case 'boolean':
      return [...right('true', 'false'), ...wrong('maybe', '2')];
    case 'string':
      return either(...TEXTS);
    default:
      return [];
  }
}

describeOn(await testBackends(...EVERY_STORE), 'lists of the API on $name', (backend) => {
  let host: WholeApplication;
  let listings: Listing[];
  let ids: Readonly<Record<string, string>>;
  const call = (method: string, path: string, body?: object) =>
    host.call(method, API + path, {
      headers: body ? { 'Content-Type': 'application/json' } : {},
      ...(body && { body: JSON.stringify(body) }),
    });

  beforeAll(async () => {
    const api = WorkflowApiModule.forRoot({ allowAnonymous: true });
    host = await startWhole(new FastifyAdapter(), { persistence: await backend.create(), also: [api] });
    listings = listingsOf(host.app.get(ManagementOpenApi, { strict: false }).document().paths);
    const definitionId = await host.publish([
      act('Elsa.Timer', 'Timer', { interval: lit('1.00:00:00', 'TimeSpan') }, true),
      act('Waymark.UserTask', 'Task', { taskName: lit('look'), candidateUsers: obj(['ann']) }),
    ]);
    const started = await call('POST', `/workflow-definitions/${definitionId}/execute`, { triggerActivityId: 'Timer' });
    const instanceId: string = started.json.workflowState.id;
    const { items } = (await call('GET', `/activity-executions/list?workflowInstanceId=${instanceId}`)).json;
    const version = (await call('GET', `/workflow-definitions/${definitionId}`)).json.id;
    const [schedule] = (await call('GET', '/schedules')).json.items;
    const [task] = (await call('GET', '/user-tasks?scope=All')).json.items ?? [];
    ids = {
      'workflow-definitions': definitionId,
      'workflow-instances': instanceId,
      'activity-executions': items[0].id,
      resilience: items[0].id,
      schedules: schedule.id,
      'user-tasks': task?.id ?? 'none',
      'workflow-definitions/subgraph': version,
    };
  }, PATIENCE_MS);
  afterAll(async () => {
    await host.close();
    await backend.drop();
  }, PATIENCE_MS);

  /** Members without which the route answers nothing. */
  const required = (path: string): Record<string, string> =>
    /activity-execution/.test(path) ? { workflowInstanceId: ids['workflow-instances']! } : {};

  const send = ({ method, path }: Listing, members: Readonly<Record<string, unknown>>) => {
    const [group = ''] = path.slice(1).split('/', 1);
    const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(ids[group] ?? 'none'));
    const given = { ...required(path), ...members };
    if (method === 'POST') return call(method, filled, given);
    const query = Object.entries(given).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
    return call(method, `${filled}?${query.join('&')}`);
  };

  it('lists of the API are all there', () => {
    const found = listings.map(({ method, path }) => `${method} ${path}`);
    expect(found).toEqual(
      expect.arrayContaining([
        'GET /activity-executions/list',
        'GET /audit',
        'GET /bookmark-queue/dead-letters',
        'GET /bulk-actions/plans',
        'GET /outbox/dead-letters',
        'GET /schedules',
        'GET /schedules/waiting',
        'GET /user-tasks',
        'GET /user-tasks/{id}/history',
        'GET /workflow-definitions',
        'GET /workflow-instances',
        'GET /workflow-instances/{id}/journal',
        'POST /workflow-instances',
        'POST /outbox/dead-letters',
      ]),
    );
  });

  it(
    'lists of the API accept what their description allows, refuse everything else by naming the member, and never fail',
    async () => {
      const surprises: object[] = [];
      const all = listings.flatMap((listing) =>
        Object.entries(listing.members).flatMap(([name, schema]) =>
          attemptsOf(schema).map((attempt) => ({ listing, name, ...attempt })),
        ),
      );
      for (const { listing, name, value, isWrong } of sampleOf(all, SHARE)) {
        const { status, text } = await send(listing, { [name]: value });
        const isRefused =
          status === 400 && (text.includes(name) || (isWrong === undefined && /WM\d{4}|errors/.test(text)));
        const isAnswered = status === 200 || status === 204;
        const isRight = isWrong === undefined ? isRefused || isAnswered : isWrong ? isRefused : isAnswered;
        if (!isRight)
          surprises.push({
            ...listing,
            members: undefined,
            [name]: String(value).slice(0, 40),
            status,
            text: text.slice(0, 300),
          });
      }
      expect(surprises).toEqual([]);
    },
    PATIENCE_MS,
  );

  it.each(['0', '-1', '2147483648', '99999999999', '9007199254740993', '9'.repeat(30)])(
    'lists of the API have no version %s of a definition',
    async (version) => {
      const path = `/workflow-definitions/${ids['workflow-definitions']}`;
      for (const [method, more] of [
        ['POST', 'revert'],
        ['DELETE', 'version'],
      ] as const)
        expect([404, 400]).toContain((await call(method, `${path}/${more}/${version}`)).status);
      const asked = await call('GET', `${path}?versionOptions=${version}`);
      expect([404, 400]).toContain(asked.status);
    },
  );

  it('lists of the API find nothing on a page far behind the last one', async () => {
    const paged = listings.filter(({ path, members }) => 'page' in members && !path.endsWith('/count'));
    expect(paged.length).toBeGreaterThan(8);
    for (const listing of paged) {
      const pageSize = listing.path === '/schedules' ? 500 : 10_000;
      const { status, text, json } = await send(listing, { page: Number.MAX_SAFE_INTEGER, pageSize });
      // Of instances, pages by number end early.
      if (status === 400) expect(text).toContain('The page begins after');
      else expect([listing.path, status, json.items]).toEqual([listing.path, 200, []]);
    }
  });
});

/** Routes that read, and take more than their path; of those with a body, the ones that page. */
function listingsOf(paths: Readonly<Record<string, { get?: OpenApiOperation; post?: OpenApiOperation }>>): Listing[] {
  return Object.entries(paths).flatMap(([whole, { get, post }]) => {
    const path = whole.slice(API.length);
    const query = (get?.parameters ?? []).filter((parameter) => parameter.in === 'query');
    const ofQuery = Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
    const ofBody = post?.requestBody?.content['application/json']?.schema.properties ?? {};
    const isList = (members: object) => PAGING.some((name) => name in members);
    return [
      ...(isList(ofQuery) ? [{ method: 'GET' as const, path, members: ofQuery }] : []),
      ...(isList(ofBody) ? [{ method: 'POST' as const, path, members: ofBody }] : []),
    ];
  });
}
