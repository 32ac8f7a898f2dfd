import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { isWaymarkError } from '@waymark/core';
import { WorkflowClock } from '@waymark/runtime';
import { resolveApiOptions, type WorkflowApiOptions } from '../module/api-options.js';
import { ApiAuthGuard } from './api-auth.guard.js';
import { Authenticator } from './authenticator.js';
import { AllowAnonymous, Requires, RequiresRefreshToken } from './permissions.js';

class StoppedClock extends WorkflowClock {
  time = 1_000_000;
  now = () => this.time;
  setTimer = () => () => undefined;
}

class Routes {
  @Requires('read:things', 'read:*') read() {}
  @Requires('write:workflow-definitions') write() {}
  @AllowAnonymous() open() {}
  @RequiresRefreshToken() refresh() {}
  unmarked() {}
}

const options: WorkflowApiOptions = {
  authentication: {
    signingKey: 'k'.repeat(32),
    users: [
      { name: 'admin', password: 'secret' },
      { name: 'reader', password: 'secret', permissions: ['read:things'] },
      { name: 'writer', password: 'secret', permissions: ['write:workflow-definitions', 'x'] },
    ],
    apiKeys: ['the-key', { key: 'weak-key', permissions: [] }],
    applicationPermissions: ['read:things', 'x'],
  },
};

function setUp(given: WorkflowApiOptions = options) {
  const clock = new StoppedClock();
  const resolved = resolveApiOptions(given);
  const authenticator = new Authenticator(resolved, clock);
  const guard = new ApiAuthGuard(new Reflector(), authenticator, resolved);
  /** True, or the code of the refusal. */
  const call = (route: keyof Routes, authorization?: string) => {
    const context = {
      getHandler: () => Routes.prototype[route],
      switchToHttp: () => ({ getRequest: () => ({ headers: { authorization } }) }),
    };
    try {
      return guard.canActivate(context as unknown as ExecutionContext);
    } catch (error) {
      return isWaymarkError(error) ? error.code : error;
    }
  };
  const bearer = (name: string) => `Bearer ${authenticator.login(name, 'secret').accessToken}`;
  return { clock, authenticator, call, bearer };
}

const UNAUTHENTICATED = 'WM8004';
const FORBIDDEN = 'WM8005';

describe('ApiAuthGuard', () => {
  it('requires no login with allowAnonymous', () => {
    const { call } = setUp({ allowAnonymous: true });
    expect([call('read'), call('write'), call('open')]).toEqual([true, true, true]);
  });

  it('is closed when nothing is configured', () => {
    const { call } = setUp({});
    expect([call('read'), call('write'), call('refresh', 'ApiKey the-key'), call('open')]).toEqual([
      FORBIDDEN,
      FORBIDDEN,
      FORBIDDEN,
      true,
    ]);
  });

  it('accepts callers with one of the permissions, or with all', () => {
    const { call, bearer } = setUp();
    expect(call('read', bearer('admin'))).toBe(true);
    expect(call('read', bearer('reader'))).toBe(true);
    expect(call('read', bearer('writer'))).toBe(FORBIDDEN);
    expect(call('write', bearer('writer'))).toBe(true);
    expect(call('open')).toBe(true);
  });

  it.each([undefined, '', 'Bearer', 'Bearer nope', 'Basic YWRtaW46c2VjcmV0', 'ApiKey', 'ApiKey nope'])(
    'refuses %s',
    (authorization) => {
      expect(setUp().call('read', authorization)).toBe(UNAUTHENTICATED);
    },
  );

  it('accepts API keys with their permissions', () => {
    const { call } = setUp();
    expect(call('read', 'ApiKey the-key')).toBe(true);
    expect(call('read', 'apikey weak-key')).toBe(FORBIDDEN);
    expect(call('refresh', 'ApiKey the-key')).toBe(UNAUTHENTICATED);
  });

  it('accepts tokens only for their purpose and until they expire', () => {
    const { call, authenticator, clock, bearer } = setUp();
    const refresh = `Bearer ${authenticator.login('admin', 'secret').refreshToken}`;
    expect([call('refresh', refresh), call('read', refresh), call('refresh', bearer('admin'))]).toEqual([
      true,
      UNAUTHENTICATED,
      UNAUTHENTICATED,
    ]);
    const access = bearer('admin');
    clock.time += 3_600_000;
    expect([call('read', access), call('refresh', refresh)]).toEqual([UNAUTHENTICATED, true]);
  });

  it('lets no caller change definitions of a read-only server', () => {
    const { call, bearer } = setUp({ ...options, readOnly: true });
    expect([call('write', bearer('admin')), call('read', bearer('admin'))]).toEqual([FORBIDDEN, true]);
  });

  it('closes routes without a declared permission', () =>
    expect(setUp().call('unmarked', 'ApiKey the-key')).toBe(FORBIDDEN));
});

describe('Authenticator', () => {
  it('answers wrong credentials without tokens', () => {
    const { authenticator } = setUp();
    expect(authenticator.login('admin', 'wrong')).toEqual({ isAuthenticated: false });
    expect(authenticator.login('nobody', '')).toEqual({ isAuthenticated: false });
  });

  it('refreshes tokens of users that still exist', () => {
    const { authenticator } = setUp();
    expect(
      authenticator.refresh({ kind: 'User', id: 'admin', name: 'admin', permissions: [], roles: [] }),
    ).toMatchObject({
      isAuthenticated: true,
    });
    expect(authenticator.refresh({ kind: 'User', id: 'gone', name: 'gone', permissions: [], roles: [] })).toEqual({
      isAuthenticated: false,
    });
  });

  it('names invalid options', () => {
    expect(() => resolveApiOptions({ authentication: { signingKey: 'short' } })).toThrow("'authentication.signingKey'");
    expect(() => resolveApiOptions({ packageVersion: 'new' })).toThrow("'packageVersion'");
    for (const synchronousBulkLimit of [-1, 1.5, NaN, 10_001])
      expect(() => resolveApiOptions({ synchronousBulkLimit })).toThrow("'synchronousBulkLimit'");
  });
});
