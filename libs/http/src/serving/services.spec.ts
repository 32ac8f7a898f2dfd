import type { IncomingMessage } from 'node:http';
import { Logger } from '@nestjs/common';
import type { ActivityIncident } from '@waymark/core';
import {
  BookmarkNotFoundError,
  CommitOutcomeUnknownError,
  InstanceExistsError,
  RuntimeNotAcceptingWorkError,
  StoreUnavailableError,
} from '@waymark/runtime';
import { BookmarkConsumedError, MessageConsumedError } from '@waymark/runtime/adapter';
import { resolveHttpOptions } from '../module/http-options.js';
import { HttpRequest } from '../requests/http-request.js';
import { RequestUserAuthorizer } from './endpoint-authorizer.js';
import { errorResponse } from './error-response.js';
import { faultStatus } from './fault-handler.js';
import { HttpMountPath } from './mount-path.js';

const raw = { rawHeaders: [], headers: {} } as unknown as IncomingMessage;

describe('RequestUserAuthorizer', () => {
  const authorizer = new RequestUserAuthorizer(
    resolveHttpOptions({ policies: { admins: (user) => (user as { role?: string }).role === 'admin' } }),
  );
  const access = (user: unknown, policy?: string) =>
    authorizer.authorize({ request: new HttpRequest(raw, '/', { user }), policy });

  it('requires a user who satisfies the policy', async () => {
    expect([
      await access(undefined),
      await access({}),
      await access({}, 'admins'),
      await access({ role: 'admin' }, 'admins'),
    ]).toEqual([false, true, false, true]);
  });

  it('refuses all users for an unknown policy', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    expect([access({}, 'nosuch'), access({}, 'toString')]).toEqual([false, false]);
    expect(warn).toHaveBeenCalledTimes(2);
    warn.mockRestore();
  });
});

describe('faultStatus', () => {
  const incident = (type: string) => ({ exception: { type, message: '' } }) as ActivityIncident;
  it.each([
    ['TimeoutError', 408],
    ['AbortError', 408],
    ['BadRequestHeaderError', 400],
    ['ValueTooLargeError', 413],
    ['FaultError', 500],
  ])('%s', (type, status) => {
    expect(faultStatus([incident('Error'), incident(type)])).toBe(status);
  });
});

describe('errorResponse', () => {
  it.each<[unknown, number | undefined]>([
    [new RuntimeNotAcceptingWorkError('draining'), 503],
    [new InstanceExistsError('i'), 409],
    [new BookmarkConsumedError('b', 'i'), 409],
    [new MessageConsumedError('m'), 409],
    [new BookmarkNotFoundError('b'), 404],
    [new StoreUnavailableError('SELECT secret'), 503],
    [new CommitOutcomeUnknownError('COMMIT secret'), 503],
    [new Error('other'), undefined],
    ['text', undefined],
  ])('%p', (error, status) => {
    expect(errorResponse(error)?.status).toBe(status);
  });

  it('sends Retry-After for an outage if a retry is safe, without the message of the database', () => {
    const [out, unknown] = [
      new StoreUnavailableError('SELECT secret'),
      new CommitOutcomeUnknownError('COMMIT secret'),
    ].map((error) => errorResponse(error)!);
    expect(out!.headers).toContainEqual(['Retry-After', '5']);
    expect(unknown!.headers.map(([name]) => name)).not.toContain('Retry-After');
    expect([JSON.parse(out!.body as string).code, JSON.parse(unknown!.body as string).code]).toEqual([
      'WM7014',
      'WM7015',
    ]);
    expect(String(out!.body) + String(unknown!.body)).not.toContain('secret');
  });

  it('sends Retry-After', () => {
    expect(errorResponse(new RuntimeNotAcceptingWorkError('draining'))!.headers).toEqual([['Retry-After', '5']]);
    expect(errorResponse(new RuntimeNotAcceptingWorkError('paused'))!.headers).toEqual([['Retry-After', '60']]);
  });
});

describe('HttpMountPath', () => {
  const pathOf = (basePath: string, prefix: string) =>
    new HttpMountPath({ getGlobalPrefix: () => prefix } as never, resolveHttpOptions({ basePath }));

  it.each<[string, string, string, boolean, string]>([
    ['/workflows', '', '/workflows/a', true, '/a'],
    ['/workflows', '', '/WORKFLOWS', true, ''],
    ['/workflows', '', '/workflowsX', false, '/workflowsX'],
    ['/workflows', '', '/workflows?x', true, '?x'],
    ['/workflows', 'api', '/api/workflows/a', true, '/a'],
    ['/workflows', '/api/', '/workflows/a', true, '/a'],
    ['', '', '/a', true, '/a'],
  ])('base %p with prefix %p: %s', (base, prefix, path, included, below) => {
    expect([pathOf(base, prefix).includes(path), pathOf(base, prefix).below(path)]).toEqual([included, below]);
  });
});
