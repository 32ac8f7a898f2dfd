import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type LoggerService } from '@nestjs/common';
import {
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  type ActivityJson,
  type ExpressionHandler,
  Input,
} from '@waymark/core';

/** One for each way in; all are found by what they have in common. */
export const CANARY = 'c4n4ry';
export const canary = (name: string): string => `${CANARY}-${name}-7f3a9e`;

/** Secrets of the host by name: `{ "type": "Test.Canary", "value": "pin" }`. The definition holds the name alone. */
export const canaryExpressions: ExpressionHandler = {
  descriptor: {
    type: 'Test.Canary',
    displayName: 'Canary',
    isSerializable: true,
    isBrowsable: false,
    properties: {},
  },
  compile: ({ value }) => {
    const fill = (given: unknown): unknown =>
      typeof given === 'string'
        ? given.replace(/\{(\w+)\}/g, (_, name: string) => canary(name))
        : Object.fromEntries(Object.entries(given as object).map(([name, text]) => [name, fill(text)]));
    return () => fill(value);
  },
};

const expression = (type: string, value: unknown, typeName = 'Object') => ({ typeName, expression: { type, value } });
const secret = (value: unknown, typeName = 'String') => expression('Test.Canary', value, typeName);
const script = (value: string, typeName = 'Object') => expression('JavaScript', value, typeName);
const literal = (value: unknown, typeName = 'String') => expression('Literal', value, typeName);
const to = (id: string) => ({ typeName: 'Object', memoryReference: { id } });

/** What the activity below was given, burst by burst. */
export const seenByVault: { pin: string; password: string }[] = [];

/** Writes its secrets wherever an activity can write, waits, and compares. */
@Injectable()
@Activity({ type: 'Test.Vault' })
export class Vault extends ActivityBase {
  @Input({ isSensitive: true }) pin: string;
  @Input() password: string;

  execute(ctx: ActivityExecutionContext): void {
    ctx.log('Opened', `with ${this.pin}`, { password: this.password, note: `the pin is ${this.pin}` });
    ctx.journalData.Trace = [`pin=${this.pin}`];
    ctx.createBookmark({ callback: this.onResumed, name: 'Vault' });
    this.see();
  }

  onResumed(ctx: ActivityExecutionContext): unknown {
    this.see();
    ctx.log('Closed', `with ${this.pin}`);
    throw new Error(`The vault does not take ${this.pin}.`);
  }

  private see(): void {
    seenByVault.push({ pin: this.pin, password: this.password });
  }
}

const stored = ['headers', 'request', 'query', 'copied', 'response', 'received'].map((id) => ({
  id,
  name: id,
  typeName: 'Object',
  isArray: false,
  storageDriverTypeName: 'WorkflowInstanceStorageDriver',
}));

/** What a caller sends is the workflow's own data, which its state keeps: this one has no place in it. */
const unstored = { id: 'body', name: 'body', typeName: 'Object', isArray: false };
export const variables = [...stored, unstored];

/** Secrets come in by every way, go out by every way, and the workflow waits in between. */
export const workflowRoot = (partner: string): ActivityJson => ({
  type: 'Elsa.Sequence',
  id: 'Root',
  activities: [
    {
      type: 'Elsa.HttpEndpoint',
      id: 'In',
      path: literal('in'),
      supportedMethods: expression('Object', '["POST"]'),
      customProperties: { canStartWorkflow: true },
      headers: to('headers'),
      result: to('request'),
      queryStringData: to('query'),
      parsedContent: to('body'),
    },
    {
      type: 'Elsa.WriteLine',
      id: 'Login',
      text: script('`${getVariable("body").user} with ${getVariable("body").password}`', 'String'),
    },
    {
      type: 'Elsa.SetVariable',
      id: 'Copy',
      variable: { id: 'copied', name: 'copied', typeName: 'Object' },
      value: script('({ all: getVariable("headers"), list: [getVariable("query")] })'),
    },
    { type: 'Elsa.WriteLine', id: 'Line', text: script('"sent by " + getVariable("headers").authorization', 'String') },
    {
      type: 'Elsa.DispatchWorkflow',
      id: 'Child',
      workflowDefinitionId: literal('child'),
      input: script('({ all: getVariable("headers") })'),
      waitForCompletion: literal(false, 'Boolean'),
    },
    {
      type: 'Elsa.WriteHttpResponse',
      id: 'Out',
      content: script('getVariable("headers").authorization'),
      responseHeaders: secret({ 'Set-Cookie': 'session={setcookie}' }, 'HttpHeaders'),
    },
    {
      type: 'Elsa.FlowSendHttpRequest',
      id: 'Unreachable',
      url: secret('http://ann:{urlpassword}@127.0.0.1:1/?api_key={urlkey}'),
    },
    {
      type: 'Elsa.SendHttpRequest',
      id: 'Send',
      url: secret(`http://ann:{urlpassword}@${partner}/?api_key={urlkey}`),
      authorization: secret('Bearer {bearer}'),
      requestHeaders: secret({ 'X-Api-Key': '{sentkey}', 'X-Plain': 'plain' }, 'HttpHeaders'),
      responseHeaders: to('received'),
      result: to('response'),
      unmatchedStatusCode: {
        type: 'Test.Vault',
        id: 'Vault',
        pin: secret('{pin}'),
        password: secret('{password}'),
      },
    },
  ],
});

/** Keeps what it was started with, and what the partner answers to a request that a worker sends. */
export const childRoot = (partner: string): ActivityJson => ({
  type: 'Elsa.Sequence',
  id: 'Root',
  variables,
  activities: [
    {
      type: 'Elsa.SetVariable',
      id: 'Keep',
      variable: { id: 'headers', name: 'headers', typeName: 'Object' },
      value: script('getInput("all")'),
    },
    {
      type: 'Elsa.FlowSendHttpRequest',
      id: 'SendLater',
      url: literal(`http://${partner}/later`),
      requestHeaders: secret({ 'X-Api-Key': '{laterkey}', 'X-Plain': 'plain' }, 'HttpHeaders'),
      responseHeaders: to('received'),
      result: to('response'),
      customProperties: { runAsynchronously: true },
    },
    { type: 'Elsa.Event', id: 'Wait', eventName: literal('never') },
  ],
});

/** The server on the other side: it keeps what it was sent, and sends secrets itself. */
export async function startPartner() {
  const requests: { url: string; headers: http.IncomingHttpHeaders }[] = [];
  const server = http.createServer(({ url, headers }, response) => {
    requests.push({ url: url!, headers });
    response.setHeader('Set-Cookie', `partner=${canary('partner')}`);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ access_token: canary('answer') }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

/** Keeps every line of the log, whatever its level. */
export class KeepingLogger implements LoggerService {
  readonly lines: string[] = [];
  private readonly keep = (...parts: unknown[]): void => {
    this.lines.push(parts.map(String).join(' '));
  };
  log = this.keep;
  error = this.keep;
  warn = this.keep;
  debug = this.keep;
  verbose = this.keep;
  fatal = this.keep;
}
