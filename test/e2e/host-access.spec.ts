import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { parseDefinitionText, readDefinitionModel } from '@waymark/core/adapter';
import { IWorkflowDefinitionPublisher, WorkflowEngine, WorkflowPersistence } from '@waymark/runtime';
import { createAdapter, createHost } from '../../src/host.js';
import { readSettings } from '../../src/settings/host-settings.js';
import { isThorough } from '../support/depth.js';
import { ACCESS, type Access } from './host-access.js';

// Every route of the reference host, called with every kind of credentials. A new route needs an entry in host-access.ts.

const SIGNING_KEY = 'signs the tokens of this specification';
const PASSWORD = 'a password';
const START_MS = 120_000;
/** Every which user without a part in a route a quick run sends to it. */
const SHARE = 16;
/** Every which worthless login a quick run tries at a route: another one at the next route. */
const WORTHLESS_SHARE = 4;

const permissions = [...new Set(Object.values(ACCESS).flatMap((access) => (isKind(access) ? [] : access.permissions)))];
interface User {
  readonly name: string;
  readonly password: string;
  readonly permissions?: readonly string[];
}
const users: readonly User[] = [
  { name: 'admin', password: PASSWORD },
  ...['', ...permissions].map((permission) => ({
    name: permission || 'guest',
    password: PASSWORD,
    permissions: permission ? [permission] : [],
  })),
];

function isKind(access: Access): access is Exclude<Access, object> {
  return typeof access === 'string';
}

type Outcome = 'let in' | 401 | 403;

let folder: string;
let app: NestFastifyApplication;
/** `METHOD /path` as they are registered. */
const registered: string[] = [];
const tokens: Record<string, { access: string; refresh: string }> = {};

beforeAll(async () => {
  Logger.overrideLogger(false);
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-access-'));
  const settings = readSettings({
    DATABASE_URL: `sqlite:${path.join(folder, 'host.db')}`,
    WAYMARK_USERS: JSON.stringify(users),
    WAYMARK_SIGNING_KEY: SIGNING_KEY,
  });
  const adapter = createAdapter(settings);
  adapter.getInstance().addHook('onRoute', ({ method, url }) => {
    registered.push(`${Array.isArray(method) ? '*' : method} ${url}`);
  });
  app = await createHost(settings, adapter);
  app.useLogger(false);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  await publishForManagers();
  for (const { name } of users) {
    const { accessToken, refreshToken } = (
      await app.inject({
        method: 'POST',
        url: '/elsa/api/identity/login',
        payload: { username: name, password: PASSWORD },
      })
    ).json<{ accessToken: string; refreshToken: string }>();
    tokens[name] = { access: accessToken, refresh: refreshToken };
  }
}, START_MS);

afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
  Logger.overrideLogger(undefined as never);
});

async function publishForManagers(): Promise<void> {
  const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
  const { activities: registry, types, newId, expressions } = app.get(WorkflowEngine);
  const text = JSON.stringify({
    definitionId: 'for-managers',
    root: {
      type: 'Elsa.HttpEndpoint',
      id: 'E',
      customProperties: { canStartWorkflow: true },
      path: literal('String', 'for-managers'),
      authorize: literal('Boolean', true),
      policy: literal('String', 'managers'),
    },
  });
  const { warnings: _, ...model } = readDefinitionModel(parseDefinitionText(text), {
    registry,
    types,
    newId,
    expressions,
  });
  expect((await app.get(IWorkflowDefinitionPublisher).saveAndPublish(model)).problems).toEqual([]);
}

/** Routes of the adapter, and endpoints of published workflows, which share a route of it. */
async function allRoutes(): Promise<string[]> {
  const triggers = await app.get(WorkflowPersistence).triggers.findMany({ names: ['Elsa.HttpEndpoint'] });
  const endpoints = triggers.map(({ payload }) => {
    const { method, path: below } = payload as { method: string; path: string };
    return `${method.toUpperCase()} /workflows${below}`;
  });
  // Fastify answers HEAD wherever it answers GET, by the same handler.
  return [...new Set([...registered, ...endpoints])].filter((route) => !route.startsWith('HEAD ')).sort();
}

const encode = (json: unknown) => Buffer.from(JSON.stringify(json)).toString('base64url');
const sign = (text: string, key = SIGNING_KEY) =>
  `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

/** What is no login, made of that of someone who may do everything. */
function worthless(): Record<string, string | undefined> {
  const { access } = tokens.admin!;
  const claims = claimsOf(access);
  const [head, , signature] = access.split('.');
  const { permissions: _, ...guest } = claimsOf(tokens.guest!.access);
  return {
    'no credentials': undefined,
    'a token that has ended': `Bearer ${sign(`${head}.${encode({ ...claims, exp: 1, nbf: 0 })}`)}`,
    'a token that begins later': `Bearer ${sign(`${head}.${encode({ ...claims, nbf: 4e9, exp: 5e9 })}`)}`,
    'a token signed with another key': `Bearer ${sign(`${head}.${encode(claims)}`, 'another key of this length, or so')}`,
    'a token without a signature': `Bearer ${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`,
    'a token with more permissions than were signed': `Bearer ${head}.${encode({ ...guest, permissions: ['*'] })}.${signature}`,
    'a token for another audience': `Bearer ${sign(`${head}.${encode({ ...claims, aud: 'others' })}`)}`,
    'name and password': `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
  };
}

async function call(route: string, authorization: string | undefined) {
  const [method, pattern] = route.split(' ') as [string, string];
  const url = pattern.replaceAll(/:\w+|\{\w+\}/g, 'none').replace('*', 'no-such-path');
  const answer = await app.inject({
    method: (method === '*' ? 'GET' : method) as 'GET',
    url: url.startsWith('/') ? url : `/${url}`,
    headers: authorization === undefined ? {} : { authorization },
    // Answers that do not end by themselves are left once they have begun.
    payloadAsStream: true,
  });
  answer.stream().destroy();
  return answer.statusCode;
}

const outcomeOf = (status: number): Outcome => (status === 401 || status === 403 ? status : 'let in');

/** What the table says of a user. @param granted undefined: no valid login of that kind */
function expected(access: Access, granted: readonly string[] | undefined): Outcome {
  if (access === 'everyone') return 'let in';
  if (granted === undefined) return 401;
  if (access === 'refresh token') return 401;
  if (access === 'signed link') throw new Error('A signed link asks for no login.');
  const isIn =
    access.permissions.length === 0 ||
    granted.includes('*') ||
    access.permissions.some((permission) => granted.includes(permission));
  return isIn ? 'let in' : access.refusal;
}

/** In a quick run no credentials at all, and some of the others in turn. */
function worthlessAt(route: string): [name: string, authorization: string | undefined][] {
  const at = Object.keys(ACCESS).indexOf(route);
  return Object.entries(worthless()).filter(
    ([, authorization], index) => isThorough || authorization === undefined || (index + at) % WORTHLESS_SHARE === 0,
  );
}

/** In a quick run who may do everything, who may do nothing, whom the route lets in, and a sample of the others. */
function callersOf(access: Access): readonly User[] {
  const isNear = ({ name, permissions: granted = [] }: User): boolean =>
    name === 'admin' ||
    name === 'guest' ||
    (!isKind(access) && access.permissions.some((one) => granted.includes(one)));
  return users.filter((user, index) => isThorough || isNear(user) || index % SHARE === 0);
}

describe('access to the reference host', () => {
  it('is declared for each of its routes', async () => {
    const routes = await allRoutes();
    expect(routes.filter((route) => !(route in ACCESS))).toEqual([]);
    expect(Object.keys(ACCESS).filter((route) => !routes.includes(route))).toEqual([]);
  });

  it.each(Object.entries(ACCESS))('%s is for %j', async (route, access) => {
    if (access === 'signed link') {
      // With a login or without: the answer is the same, since the link is not signed.
      const answers = await Promise.all([undefined, `Bearer ${tokens.admin!.access}`].map((by) => call(route, by)));
      expect(answers[0]).toBeGreaterThanOrEqual(400);
      expect(answers[1]).toBe(answers[0]);
      return;
    }
    const outcomes: Record<string, Outcome> = {};
    const all: Record<string, Outcome> = {};
    for (const [name, authorization] of worthlessAt(route)) {
      outcomes[name] = outcomeOf(await call(route, authorization));
      all[name] = expected(access, undefined);
    }
    for (const { name, permissions: granted = ['*'] } of callersOf(access)) {
      const { access: token, refresh } = tokens[name]!;
      outcomes[name] = outcomeOf(await call(route, `Bearer ${token}`));
      all[name] = expected(access, granted);
      outcomes[`${name}, refresh token`] = outcomeOf(await call(route, `Bearer ${refresh}`));
      all[`${name}, refresh token`] = access === 'refresh token' ? 'let in' : expected(access, undefined);
    }
    expect(outcomes).toEqual(all);
  });
});
