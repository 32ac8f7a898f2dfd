import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import { type WorkflowRuntimeOptions } from '@waymark/runtime';
import {
  OutboxProcessor,
  resolveRuntimeOptions,
  RUNTIME_OPTIONS,
  WorkflowRuntimeModule,
} from '@waymark/runtime/adapter';
import { schedulingActivities } from '@waymark/scheduling/adapter';
import { ApiRequestContext } from '../execution/api-request-context.js';
import { ManagementOpenApi } from '../openapi/management-open-api.js';
import { AnswerCheck } from '../openapi/testing/answer-check.js';
import type { WorkflowApiOptions } from './api-options.js';
import { WorkflowApiModule } from './workflow-api.module.js';

// Shared by specifications, and one itself: so it is neither compiled nor published.

const REPLY = Symbol('reply');

@Activity({ type: 'Test.Answer' })
class Answer extends ActivityBase {
  execute(ctx: ActivityExecutionContext) {
    (ctx.workflow.transient.get(REPLY) as { answer(): void } | undefined)?.answer();
    ctx.complete();
  }
}

@Activity({ type: 'Test.Broken' })
class Broken extends ActivityBase {
  execute() {
    throw new Error('broken on purpose');
  }
}

/** As a host binds it, with a response that is one fixed text. */
class TestRequestContext extends ApiRequestContext {
  private readonly answered = new WeakSet<object>();
  transientFor(_request: object, response: object): [unknown, unknown][] {
    return [[REPLY, { answer: () => this.answered.add(response) }]];
  }
  responded(response: object): boolean {
    if (!this.answered.has(response)) return false;
    const reply = response as { status(code: number): { send(body: string): void } };
    reply.status(202).send('answered by the workflow');
    return true;
  }
}

export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the server says
  json: any;
  bytes: Uint8Array;
}

export type Adapter = 'express' | 'fastify';
export const ADAPTERS = ['express', 'fastify'] as const;

/** An application with the API and a runtime that keeps everything in memory. */
export class ApiServer {
  private constructor(
    readonly app: INestApplication,
    private readonly base: string,
    /** Every answer to every specification is as the API describes it. */
    private readonly check: AnswerCheck,
  ) {}

  /** Open to everybody unless the options ask for a login. */
  static start(
    adapter: Adapter,
    options: WorkflowApiOptions = {},
    runtimeOptions: WorkflowRuntimeOptions = {},
    prepare?: (app: INestApplication) => void,
  ): Promise<ApiServer> {
    const open = { allowAnonymous: !options.authentication, ...options };
    return ApiServer.startWith(adapter, open, runtimeOptions, undefined, undefined, prepare);
  }

  /**
   * With these options and no others.
   * @param trustProxy whether the adapter believes X-Forwarded-For
   * @param prepare called before the application listens
   * @param routerOptions of Fastify. @default that of the reference host
   */
  static async startWith(
    adapter: Adapter,
    options: WorkflowApiOptions,
    runtimeOptions: WorkflowRuntimeOptions = {},
    trustProxy = false,
    routerOptions: object = { caseSensitive: false, ignoreTrailingSlash: true },
    prepare?: (app: INestApplication) => void,
  ): Promise<ApiServer> {
    const runtime = WorkflowRuntimeModule.compose({
      providers: [
        {
          provide: RUNTIME_OPTIONS,
          useFactory: () => resolveRuntimeOptions({ writeLine: () => undefined, ...runtimeOptions }),
        },
        { provide: ApiRequestContext, useClass: TestRequestContext },
        Answer,
        Broken,
        ...schedulingActivities,
      ],
      exports: [ApiRequestContext],
    });
    const module = await Test.createTestingModule({ imports: [runtime, WorkflowApiModule.forRoot(options)] }).compile();
    const fastify = () => new FastifyAdapter({ routerOptions, trustProxy });
    const express = () => {
      const made = new ExpressAdapter();
      made.set('trust proxy', trustProxy);
      return made;
    };
    const app = module.createNestApplication<INestApplication>(adapter === 'fastify' ? fastify() : express());
    app.useLogger(false);
    prepare?.(app);
    await app.listen(0, '127.0.0.1');
    const check = new AnswerCheck(app.get(ManagementOpenApi).document());
    return new ApiServer(app, `${await app.getUrl()}/elsa/api`, check);
  }

  close(): Promise<void> {
    return this.app.close();
  }

  /** Resolves when no message of the outbox is being served, and none is left to take over. */
  async settled(): Promise<void> {
    const outbox = this.app.get(OutboxProcessor);
    do await outbox.settled();
    while ((await outbox.poll()) > 0);
  }

  /** @param body a text or form goes as it is, anything else as JSON */
  readonly call: Call = async (method, path, body, headers = {}) => {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof FormData;
    const init: RequestInit = { method, headers: isRaw ? headers : { ...JSON_TYPE, ...headers } };
    if (body !== undefined) init.body = isRaw ? body : JSON.stringify(body);
    const response = await fetch(this.base + path, init);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const type = response.headers.get('content-type') ?? '';
    const isJson = type !== 'application/x-ndjson' && (/json/.test(type) || text.startsWith('{'));
    const json: unknown = isJson && text ? JSON.parse(text) : undefined;
    const problems = this.check.problemsOf({
      method,
      path: `/elsa/api${path}`,
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      text,
    });
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return { status: response.status, headers: response.headers, text, bytes, json };
  };

  /** Bytes as they are. */
  send(method: string, path: string, body: Blob, headers: Readonly<Record<string, string>>): Promise<Response> {
    return fetch(this.base + path, { method, body, headers });
  }

  /** Saves and publishes. */
  readonly deploy = async (definitionId: string, root: object, more: object = {}) => {
    const request = { model: model(definitionId, root, more), publish: true };
    return (await this.call('POST', '/workflow-definitions', request)).json.workflowDefinition;
  };

  /** @returns the state after the first burst */
  readonly execute = async (definitionId: string, body: object = {}) =>
    (await this.call('POST', `/workflow-definitions/${definitionId}/execute`, body)).json.workflowState;
}

/** Sets an application up for all specifications of a block. */
export function useServer(
  adapter: Adapter,
  prepare: (api: ApiServer) => Promise<unknown> = async () => undefined,
  options?: WorkflowApiOptions,
  runtimeOptions?: WorkflowRuntimeOptions,
) {
  let server: ApiServer | undefined;
  beforeAll(async () => {
    server = await ApiServer.start(adapter, options, runtimeOptions);
    await prepare(server);
  });
  afterAll(() => server?.close());
  const call: Call = (...request) => server!.call(...request);
  return {
    call,
    deploy: (...definition: Parameters<ApiServer['deploy']>) => server!.deploy(...definition),
    execute: (...start: Parameters<ApiServer['execute']>) => server!.execute(...start),
    send: (...request: Parameters<ApiServer['send']>) => server!.send(...request),
    settled: () => server!.settled(),
    app: () => server!.app,
  };
}

export const JSON_TYPE = { 'content-type': 'application/json' };
export const line = (id: string, text = id) => ({
  id,
  type: 'Elsa.WriteLine',
  text: { typeName: 'String', expression: { type: 'Literal', value: text } },
});
export const event = (id: string, name: string) => ({
  id,
  type: 'Elsa.Event',
  eventName: { typeName: 'String', expression: { type: 'Literal', value: name } },
});
export const sequence = (...activities: object[]) => ({ id: 'Seq', type: 'Elsa.Sequence', activities });
export const model = (definitionId: string, root: object, more: object = {}) => ({
  definitionId,
  name: definitionId,
  root,
  ...more,
});
export const texts = {
  id: 'v-texts',
  name: 'Texts',
  typeName: 'StringDictionary',
  storageDriverTypeName: 'WorkflowInstanceStorageDriver',
};
export const count = {
  id: 'v-count',
  name: 'Count',
  typeName: 'Int32',
  value: '1',
  storageDriverTypeName: 'WorkflowInstanceStorageDriver',
};

/** Writes a line, then waits for the event `seen-go`. */
export const deploySeen = (api: ApiServer) =>
  api.deploy('seen', sequence(line('A'), event('E', 'seen-go')), { variables: [count, texts] });
export const deployFaulting = (api: ApiServer) => api.deploy('faulting', sequence({ id: 'X', type: 'Test.Broken' }));

// Not in each specification that imports it.
if (expect.getState().testPath === import.meta.filename)
  it('the API harness starts', async () => {
    const api = await ApiServer.start('fastify');
    expect((await api.call('GET', '/package/version')).status).toBe(200);
    await api.close();
  });
