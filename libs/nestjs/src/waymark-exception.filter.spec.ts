import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  Controller,
  ForbiddenException,
  Get,
  type INestApplication,
  Logger,
  Module,
  type Type,
  UseFilters,
} from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { IWorkflowRuntime, WaymarkError, WaymarkExceptionFilter, WorkflowModule } from '@waymark/nestjs';
import {
  ConcurrencyConflictError,
  ForeignInstanceError,
  StoreUnavailableError,
  WorkflowNotFinishedError,
  WorkflowResultTimeoutError,
} from '@waymark/runtime';
import { pairsOf } from '../../../test/support/pairs.js';

class TestError extends WaymarkError {
  constructor(
    readonly code: string,
    details: object = {},
  ) {
    super(`text of ${code}`);
    Object.assign(this, details);
  }
}

let thrown: unknown;

@Controller('thrown')
class ThrowingController {
  constructor(private readonly runtime: IWorkflowRuntime) {}

  @Get()
  throw(): never {
    throw thrown;
  }
  @Get('start')
  async start(): Promise<void> {
    await (await this.runtime.createClient()).createAndRunInstance({ definition: 'nowhere' });
  }
}

@Controller('alone')
@UseFilters(WaymarkExceptionFilter)
class FilteredController extends ThrowingController {}

@Module({
  imports: [WorkflowModule.forRoot()],
  controllers: [ThrowingController],
  providers: [{ provide: APP_FILTER, useClass: WaymarkExceptionFilter }],
})
class EverywhereModule {}

@Module({ imports: [WorkflowModule.forRoot()], controllers: [FilteredController, ThrowingController] })
class OneControllerModule {}

const CREATED = { Express: () => new ExpressAdapter(), Fastify: () => new FastifyAdapter() };

describe.each(pairsOf(['Express', 'Fastify'] as const, 'Fastify'))('WaymarkExceptionFilter on %s', (name) => {
  let app: INestApplication;
  let error: jest.SpiedFunction<Logger['error']>;
  const logged = () => JSON.stringify(error.mock.calls.map(([first]) => String(first)));

  beforeAll(async () => void (app = await listen(EverywhereModule)));
  afterAll(() => app.close());
  beforeEach(() => {
    error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => void jest.restoreAllMocks());

  async function listen(module: Type): Promise<INestApplication> {
    const created: INestApplication = await NestFactory.create(module, CREATED[name](), { logger: false });
    await created.listen(0, '127.0.0.1');
    return created;
  }
  async function get(path: string, from = app): Promise<{ status: number; headers: Headers; body: unknown }> {
    const response = await fetch(`${await from.getUrl()}${path}`);
    return { status: response.status, headers: response.headers, body: await response.json() };
  }
  async function answerTo(something: unknown) {
    thrown = something;
    return get('/thrown');
  }

  it('answers an unknown workflow with 404, and a conflict with 409', async () => {
    expect(await get('/thrown/start')).toMatchObject({
      status: 404,
      body: { statusCode: 404, code: 'WM1020', message: expect.stringContaining('nowhere') },
    });
    const conflict = new ConcurrencyConflictError('instance', 'one');
    expect(await answerTo(conflict)).toMatchObject({
      status: 409,
      body: { statusCode: 409, code: conflict.code, message: conflict.message },
    });
    expect(logged()).toBe('[]');
  });

  it('sends Retry-After, WWW-Authenticate, and the members that are wrong', async () => {
    const later = await answerTo(new TestError('WM8011', { retryAfterSeconds: 7 }));
    expect([later.status, later.headers.get('retry-after')]).toEqual([429, '7']);
    const refused = await answerTo(new TestError('WM3005'));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    const elsewhere = await answerTo(new TestError('WM2040'));
    expect([elsewhere.status, elsewhere.headers.get('retry-after')]).toEqual([503, '1']);
    const unknown = await answerTo(new TestError('WM8004', { challenge: 'Bearer realm="x"' }));
    expect([unknown.status, unknown.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="x"']);
    const wrong = await answerTo(new TestError('WM2074', { errors: { amount: ['Give a number.'] } }));
    expect(wrong).toMatchObject({ status: 400, body: { code: 'WM2074', errors: { amount: ['Give a number.'] } } });
  });

  it('answers that the result is missing, with the reason', async () => {
    const late = new WorkflowResultTimeoutError('one', 1000);
    expect(await answerTo(late)).toMatchObject({ status: 504, body: { code: 'WM1037', message: late.message } });
    const faulted = new WorkflowNotFinishedError('one', 'Faulted', []);
    expect(await answerTo(faulted)).toMatchObject({ status: 409, body: { code: 'WM1038', message: faulted.message } });
    const foreign = new ForeignInstanceError('one', 'pay', 'leave');
    expect(await answerTo(foreign)).toMatchObject({ status: 404, body: { code: 'WM1041', message: foreign.message } });
    expect(logged()).toBe('[]');
  });

  it('logs server errors and does not send their messages', async () => {
    expect(await answerTo(new TestError('WM2003'))).toMatchObject({
      status: 500,
      body: { statusCode: 500, code: 'WM2003', message: 'Internal server error' },
    });
    expect(logged()).toContain('text of WM2003');
    const refused = await answerTo(new TestError('WM7009'));
    expect([refused.status, JSON.stringify(refused.body).includes('text of')]).toEqual([500, false]);
    expect(logged()).toContain('text of WM7009');
  });

  it('does not send the message of a database that is out of reach', async () => {
    const answer = await answerTo(new StoreUnavailableError('no route to db.internal'));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(answer.body).toMatchObject({ statusCode: 503, code: 'WM7014' });
    expect(JSON.stringify(answer.body)).not.toContain('db.internal');
    expect(logged()).toBe('[]');
  });

  it('leaves errors of others alone', async () => {
    expect(await answerTo(new ForbiddenException('not yours'))).toMatchObject({
      status: 403,
      body: { statusCode: 403, message: 'not yours' },
    });
    expect(await answerTo(new Error('x'))).toMatchObject({ status: 500 });
  });

  it('is for those controllers only that use it', async () => {
    const other = await listen(OneControllerModule);
    thrown = new TestError('WM7002');
    expect([(await get('/alone', other)).status, (await get('/thrown', other)).status]).toEqual([409, 500]);
    await other.close();
  });
});
