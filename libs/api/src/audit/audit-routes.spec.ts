import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { WorkflowPersistence } from '@waymark/runtime';
import { ROUTE_ACCESS, type RouteAccess } from '../identity/permissions.js';
import { ADAPTERS, ApiServer } from '../module/api-harness.spec.js';
import { API_CONTROLLER, API_ROUTE, type ApiRoute } from '../requests/api-routes.js';
import { AUDITED, type AuditedRoute } from './audited.js';

interface Declared {
  readonly name: string;
  readonly route: ApiRoute;
  readonly access: RouteAccess;
  readonly audited: AuditedRoute | false | undefined;
}

/** Who may read may call it, so it changes nothing. */
const isReading = ({ route, access }: Declared): boolean =>
  access.permissions.length > 0
    ? access.permissions.some((permission) => permission.startsWith('read:'))
    : route.verb === 'GET' && !access.isAnonymous;

describe('The routes of the API', () => {
  let server: ApiServer;
  let closed: ApiServer[];
  let routes: Declared[];

  beforeAll(async () => {
    const authentication = { apiKeys: ['a-key-of-this-test'] };
    const options = { authentication, audit: { refusalsPerHour: 1000 } };
    closed = await Promise.all(ADAPTERS.map((adapter) => ApiServer.start(adapter, options)));
    server = closed[0]!;
    const reflector = server.app.get(Reflector);
    const of = <T>(key: symbol, target: object) => reflector.get<T | undefined>(key, target as () => void);
    routes = server.app
      .get(DiscoveryService, { strict: false })
      .getControllers()
      .flatMap(({ metatype }) => {
        const base = metatype && of<string>(API_CONTROLLER, metatype);
        if (base === undefined || !metatype) return [];
        const { prototype } = metatype as { prototype: Record<string, unknown> };
        return Object.getOwnPropertyNames(prototype).flatMap((method) => {
          const handler = prototype[method];
          const route = typeof handler === 'function' ? of<ApiRoute>(API_ROUTE, handler) : undefined;
          if (!route || typeof handler !== 'function') return [];
          const access = of<RouteAccess>(ROUTE_ACCESS, handler)!;
          const audited = of<AuditedRoute | false>(AUDITED, handler);
          return [{ name: `${route.verb} /${[base, route.path].filter(Boolean).join('/')}`, route, access, audited }];
        });
      });
  });
  afterAll(() => Promise.all(closed.map((each) => each.close())));

  it('routes of the API are all known, and most of them only read', () => {
    expect(routes.length).toBeGreaterThan(110);
    expect(routes.filter(isReading).length).toBeGreaterThan(60);
  });

  it('routes of the API declare their action in the audit trail if they may change something', () => {
    const silent = routes.filter((route) => !isReading(route) && route.audited === undefined);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('routes of the API leave no audit entries when they only read', () => {
    expect(routes.filter((route) => isReading(route) && route.audited !== undefined).map(({ name }) => name)).toEqual(
      [],
    );
  });

  it('routes of the API are exempt from the audit trail only for a stated reason', () => {
    expect(routes.filter(({ audited }) => audited === false).map(({ name }) => name)).toEqual([
      'POST /identity/refresh-token',
      'GET /package/version',
      'POST /workflow-definitions/validate',
      'POST /alterations/dry-run',
      'POST /alterations/migrations/dry-run',
    ]);
  });

  it('routes of the API leave an audit entry each on both adapters, also when the caller is refused', async () => {
    for (const each of closed) {
      const { audit } = each.app.get(WorkflowPersistence);
      const seen = new Set<string>();
      for (const { name, route, audited } of routes) {
        if (!audited) continue;
        const path = name.slice(name.indexOf('/')).replaceAll(/:\w+/g, 'one');
        const { status } = await each.call(route.verb, path, route.verb === 'GET' ? undefined : {});
        // Not the latest one: entries of one millisecond have no order, and a fast machine writes several in one.
        const added = (await audit.find({}, { limit: 1000 })).filter(({ id }) => !seen.has(id));
        for (const { id } of added) seen.add(id);
        expect([name, status >= 400, added]).toMatchObject([
          name,
          true,
          [{ action: audited.action, outcome: 'Refused', actorKind: 'Anonymous', targetKind: audited.target }],
        ]);
        const [entry] = added;
        if (audited.param !== undefined) expect([name, entry?.targetIds]).toEqual([name, ['one']]);
      }
    }
  });

  it('routes of the API have action names of one form, and name only parameters of their paths', () => {
    for (const { name, route, audited } of routes) {
      if (!audited) continue;
      expect([name, audited.action]).toEqual([name, expect.stringMatching(/^[a-z-]+(\.[a-z-]+){1,2}$/)]);
      const whole = `${name}/${route.path}`;
      if (audited.param !== undefined) expect(whole).toContain(`:${audited.param}`);
      if (audited.param !== undefined) expect(audited.target).toBeDefined();
    }
  });

  it('routes of the API record any refused request, whatever its answer would have been', () => {
    const bodies: Record<string, unknown>[] = [{}, { ids: 3, definitionIds: [1, 'a'], model: 'x', variables: {} }];
    for (const { audited } of routes)
      if (audited)
        for (const body of bodies)
          for (const answer of bodies) expect(() => audited.note?.({ params: {}, body, answer })).not.toThrow();
  });

  it('routes of the API are listed in the documentation with their actions', () => {
    const actions = [...new Set(routes.flatMap(({ audited }) => (audited ? [audited.action] : [])))];
    expect(actions.length).toBeGreaterThan(35);
    const lines = readFileSync(path.join(import.meta.dirname, '../../../../docs/api.md'), 'utf8').split('\n');
    const isListed = (action: string) => {
      const dot = action.lastIndexOf('.');
      const others = `\`${action.slice(dot)}\``;
      return lines.some(
        (row) =>
          row.includes(`\`${action}\``) || (row.includes(`| \`${action.slice(0, dot)}.`) && row.includes(others)),
      );
    };
    expect(actions.filter((action) => !isListed(action))).toEqual([]);
  });
});
