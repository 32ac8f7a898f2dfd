import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { clearImmediate, setImmediate } from 'node:timers';
import { type ActivityJson, type VariableDefinition, type WorkflowDefinition } from '@waymark/core';
import {
  ActivityRegistry,
  builtinExpressions,
  compileWorkflow,
  createDefaultTypeRegistry,
  ExpressionRegistry,
  registerCoreActivities,
  WorkflowRunner,
} from '@waymark/core/adapter';
import { type CancelTimer, WorkflowClock } from '@waymark/runtime';
import { sha256 } from '@waymark/runtime/adapter';
import { resolveHttpOptions, type HttpWorkflowsOptions } from '../../module/http-options.js';
import { DownloadHttpFile } from '../download-http-file.js';
import { FlowSendHttpRequest } from '../flow-send-http-request.js';
import { OutgoingHttp } from '../outgoing-http.js';
import { RequestSender } from '../request-sender.js';
import { SendHttpRequest } from '../send-http-request.js';

/** Waits of retries end at once; the deadline of requests, 100 s, never comes. */
export class FastClock extends WorkflowClock {
  readonly delays: number[] = [];
  now(): number {
    return 0;
  }
  setTimer(callback: () => void, delayMs: number): CancelTimer {
    if (delayMs === 100_000) return () => undefined;
    this.delays.push(delayMs);
    const handle = setImmediate(callback);
    return () => clearImmediate(handle);
  }
}

export interface Seen {
  method?: string;
  path?: string;
  headers: http.IncomingHttpHeaders;
  rawHeaders: string[];
  body: string;
}
export type Answer = {
  status?: number;
  headers?: http.OutgoingHttpHeaders;
  body?: string | Buffer;
  chunked?: boolean;
  hang?: boolean;
  reset?: boolean;
};

export async function serve(answer: (seen: Seen, count: number) => Answer) {
  const requests: Seen[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const seen = {
        method: request.method,
        path: request.url,
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString(),
      };
      requests.push(seen);
      const {
        status = 200,
        headers = { 'Content-Type': 'application/json' },
        body = '',
        chunked,
        hang,
        reset,
      } = answer(seen, requests.length);
      if (reset) return void request.socket.destroy();
      if (hang) return;
      response.writeHead(status, chunked ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) });
      if (chunked) response.write(body);
      response.end(chunked ? undefined : body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, close: () => void (server.closeAllConnections(), server.close()) };
}

export const lit = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
export const obj = (value: unknown) => ({
  typeName: 'Object',
  expression: { type: 'Object', value: JSON.stringify(value) },
});
export const out = (id: string) => ({ typeName: 'Object', memoryReference: { id } });
export const line = (id: string, text: string): ActivityJson => ({
  type: 'Elsa.WriteLine',
  id,
  version: 1,
  text: lit(text),
});
export const variable = (id: string, typeName = 'Object'): VariableDefinition => ({
  id,
  name: id,
  typeName,
  isArray: false,
});

export async function run(
  activity: ActivityJson,
  {
    variables = ['V'],
    clock = new FastClock(),
    http: options = {},
    signal,
    then = [],
  }: {
    variables?: (string | VariableDefinition)[];
    clock?: WorkflowClock;
    http?: HttpWorkflowsOptions;
    signal?: AbortSignal;
    then?: ActivityJson[];
  } = {},
) {
  const resolved = resolveHttpOptions(options);
  const sender = new RequestSender(new OutgoingHttp(clock, resolved), clock, resolved);
  const registry = new ActivityRegistry();
  registerCoreActivities(registry);
  for (const type of [SendHttpRequest, FlowSendHttpRequest, DownloadHttpFile])
    registry.registerClass(type, new type(sender));
  const lines: string[] = [];
  let ids = 0;
  const runner = new WorkflowRunner(
    { clock, newId: () => `id${++ids}`, hash: sha256, writeLine: (text) => void lines.push(text) },
    createDefaultTypeRegistry(),
  );
  const definition: WorkflowDefinition = {
    id: 'v1',
    definitionId: 'd',
    version: 1,
    createdAt: new Date(0),
    isLatest: true,
    isPublished: true,
    isReadonly: false,
    isSystem: false,
    materializerName: 'Json',
    variables: variables.map((v) => (typeof v === 'string' ? variable(v) : v)),
    inputs: [],
    outputs: [],
    outcomes: [],
    customProperties: {},
    options: {},
    root:
      activity.type === 'Elsa.Flowchart'
        ? activity
        : { type: 'Elsa.Sequence', id: 'Root', version: 1, activities: [activity, ...then] },
  };
  const graph = compileWorkflow(definition, {
    registry,
    expressions: new ExpressionRegistry(builtinExpressions),
    types: createDefaultTypeRegistry(),
  });
  const values: Record<string, unknown> = {};
  let begun: Parameters<NonNullable<Parameters<typeof runner.run>[0]['onBegin']>>[0] | undefined;
  const wec = await runner.run({ graph, instanceId: 'i', signal, onBegin: (w) => (begun = w) });
  for (const slot of begun?.rootContext?.slots ?? []) values[slot.variable.name] = slot.value;
  return { wec, lines, values, record: () => wec.journal!.take().records.find((r) => r.activityId === 'S')! };
}

export const send = (members: object, type = 'Elsa.SendHttpRequest'): ActivityJson => ({
  type,
  id: 'S',
  version: 1,
  ...members,
});
export const flow = (members: object, ...outcomes: string[]): ActivityJson => ({
  type: 'Elsa.Flowchart',
  id: 'Flow',
  version: 1,
  activities: [send(members, 'Elsa.FlowSendHttpRequest'), ...outcomes.map((o, i) => line(`L${i}`, o))],
  connections: outcomes.map((port, i) => ({ source: { activity: 'S', port }, target: { activity: `L${i}` } })),
});

export const CLOSED = 'http://127.0.0.1:1/closed';
