import { setImmediate } from 'node:timers/promises';
import { Module, type Provider } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { NestFactory } from '@nestjs/core';
import { type ActivityJson } from '@waymark/core';
import { WorkflowModule, type WorkflowModuleOptions } from '@waymark/nestjs';
import { IWorkflowDefinitionPublisher, WorkflowEvent, type WorkflowPersistence } from '@waymark/runtime';
import { WorkflowEventEmitter } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { literal, sequence } from '../support/runtime-node.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what tests look into freely
  readonly json: any;
}

/** A node that serves HTTP on a real socket, with a clock that is moved. */
export async function startHttpNode(
  adapter: AbstractHttpAdapter,
  persistence: WorkflowPersistence,
  options: WorkflowModuleOptions = {},
  providers: Provider[] = [],
  clock = new VirtualClock(),
) {
  @Module({
    imports: [WorkflowModule.forRoot({ persistence, clock, writeLine: () => undefined, ...options })],
    providers,
  })
  class NodeModule {}
  const app = await NestFactory.create(NodeModule, adapter, { logger: false });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  return {
    app,
    clock,
    port,
    url: `http://127.0.0.1:${port}`,
    get: <T>(token: abstract new (...args: never[]) => T): T => app.get(token as never),
    /** @param path below the base path, or the whole path of a `Location` */
    async call(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
      const whole = path.startsWith('/') ? path : `/workflows/${path}`;
      const response = await fetch(`http://127.0.0.1:${port}${whole}`, { method, redirect: 'manual', ...init });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        get json() {
          return JSON.parse(text) as unknown;
        },
      };
    },
    async publish(definitionId: string, activities: readonly ActivityJson[], more: object = {}): Promise<void> {
      const root = sequence('Root', ...activities);
      const { problems } = await app.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId, root, ...more });
      if (problems.length) throw new Error(problems.map((p) => p.message).join('; '));
    },
    /** Resolves when the node holds a request that waits for its answer. */
    async holdsRequest(isHeld = true): Promise<void> {
      const events = app.get(WorkflowEventEmitter);
      while (events.isHeard(WorkflowEvent.WorkflowStateCommitted) !== isHeld) await setImmediate();
    },
  };
}

export type HttpNode = Awaited<ReturnType<typeof startHttpNode>>;

export const endpoint = (path: string, more: object = {}, canStartWorkflow = true): ActivityJson => ({
  type: 'Elsa.HttpEndpoint',
  id: `In ${path}`,
  path: literal(path),
  customProperties: { canStartWorkflow },
  ...more,
});
export const methods = (...names: string[]) => ({
  supportedMethods: { typeName: 'Object', expression: { type: 'Object', value: JSON.stringify(names) } },
});
export const flag = (value: boolean) => literal(value, 'Boolean');
export const respond = (content: string, more: object = {}): ActivityJson => ({
  type: 'Elsa.WriteHttpResponse',
  id: `Out ${content}`,
  content: literal(content, 'Object'),
  ...more,
});
