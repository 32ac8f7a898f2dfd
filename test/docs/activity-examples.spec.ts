import 'reflect-metadata';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { IEventPublisher, ITaskReporter, IWorkflowDefinitionService } from '@waymark/nestjs';
import { type Model, type StartRequest, TestApplication } from '../support/application.js';
import { codeBlocks, ROOT, writeBlocks } from './code-blocks.js';

// Each example of the pages on activities is printed twice, in TypeScript and as JSON. Both are run here with the requests that the
// page sends, and both must give the answers that it prints.

const FOLDER = path.join(ROOT, 'docs/activities');
const DEFINITION = /^```json definition \[JSON\]\n(.*?)^```$/gms;
const ANSWER = /^```(?:json|text) answer\n(.*?)^```$/gms;

interface Page {
  readonly models: readonly Model[];
  readonly answers: readonly string[];
}

const pages = new Map<string, Page>(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md') && file !== 'reference.md')
    .map((file) => {
      const text = readFileSync(path.join(FOLDER, file), 'utf8');
      const models = [...text.matchAll(DEFINITION)].map(([, json]) => JSON.parse(json!) as Model);
      return [path.basename(file, '.md'), { models, answers: [...text.matchAll(ANSWER)].map(([, answer]) => answer!) }];
    }),
);

type Served = Awaited<ReturnType<typeof TestApplication.serve>>;
const applications: Record<string, Served> = {};
let folder: string;

beforeAll(async () => {
  const blocks = codeBlocks();
  folder = writeBlocks(blocks);
  const providers: Type[] = [];
  for (const [page, { models }] of pages)
    for (const { definitionId } of models) {
      const file = path.join(folder, page, `${definitionId}.workflow.ts`);
      providers.push(...Object.values((await import(file)) as Record<string, Type>));
    }
  applications.TypeScript = await TestApplication.serve({ providers });
  applications.JSON = await TestApplication.serve();
  for (const { models } of pages.values()) await applications.JSON.deploy(...models);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const application of Object.values(applications)) await application.close();
});

interface Drawn {
  readonly nodes: readonly string[];
  readonly connections: readonly string[];
}

/** Activities by id and type, wherever they stand, and what connects them. */
function drawn(
  value: unknown,
  found: { nodes: string[]; connections: string[] } = { nodes: [], connections: [] },
): Drawn {
  if (typeof value !== 'object' || value === null) return found;
  const { id, type, source, target } = value as Record<string, unknown>;
  // What is a script in JSON is a function in code; `Delay` and the others are what they are.
  if (typeof id === 'string' && typeof type === 'string')
    found.nodes.push(`${id}: ${type === 'Elsa.RunJavaScript' ? 'Elsa.Inline' : type}`);
  if (source && target) found.connections.push(JSON.stringify([source, target]));
  for (const inner of Object.values(value)) drawn(inner, found);
  return found;
}

const ids = [...pages.values()].flatMap(({ models }) => models.map(({ definitionId }) => definitionId));

it.each(ids)('%s has the same activities in TypeScript and in JSON', async (definitionId) => {
  const [code, json] = await Promise.all(
    ['TypeScript', 'JSON'].map(async (notation) => {
      const loaded = await applications[notation]!.get(IWorkflowDefinitionService).find(definitionId);
      const { nodes, connections } = drawn(loaded!.root);
      return { name: loaded!.name, nodes: nodes.toSorted(), connections: connections.toSorted() };
    }),
  );
  expect(code).toEqual(json);
});

const short = ({ status, output }: { status: string; output: unknown }) =>
  JSON.stringify({ subStatus: status, output });
const JSON_TYPE = { 'content-type': 'application/json' };

/** What a page does with its examples, answer by answer. */
const requests: Record<string, (app: Served) => AsyncGenerator<string>> = {
  async *'child-workflows'(app) {
    yield text(app, 'quotes/lt/100');
    yield short(await app.execute('price-list'));
  },
  async *composition(app) {
    yield text(app, 'admission/70');
    yield textAndStatus(app, 'admission/12');
  },
  async *'control-flow'(app) {
    yield text(app, 'grades/91');
    yield textAndStatus(app, 'grades/-1');
    const patient = await app.execute('patient');
    await app.advance(4000);
    yield short(await app.instance(patient.id));
    const seats = await app.execute('seats');
    const undone = seats.recordsOf('GiveBack').map(({ outputs }) => outputs?.Result);
    yield `${short(seats)}\n${JSON.stringify(undone)}`;
    const ticket = await app.execute('ticket', { correlationId: 'T-1' });
    for (const event of ['ticket-taken', 'ticket-solved'])
      await app.get(IEventPublisher).publish(event, { correlationId: 'T-1' });
    await app.settled();
    yield `"${ticket.status}"\n"${(await app.instance(ticket.id)).status}"`;
  },
  async *'events-and-tasks'(app) {
    const parcel = await app.execute('parcel', { correlationId: 'P-7' });
    await app.get(IEventPublisher).publish('parcel-arrived', { correlationId: 'P-7', payload: { by: 'Ann' } });
    yield short(await app.instance(parcel.id));
    yield text(app, 'signup', { method: 'POST', headers: JSON_TYPE, body: '{"name":"Bo"}' });
    await app.settled();
    const [mail] = await app.instancesOf('greeting-mail');
    yield JSON.stringify({ name: mail!.stored.name, subStatus: mail!.status });
    const shipping = await app.execute('shipping', { input: { address: 'Pilies g. 1' } } satisfies StartRequest);
    const { taskId } = shipping.bookmarks[0]!.payload as { taskId: string };
    await app.get(ITaskReporter).reportCompletion(taskId, 'LT-4711');
    yield short(await app.instance(shipping.id));
  },
  async *flowchart(app) {
    yield text(app, 'loan?amount=5000&income=2500');
    yield text(app, 'loan?amount=5000&income=900');
    yield text(app, 'doubling');
  },
  async *http(app) {
    const paid = { method: 'PUT', headers: JSON_TYPE, body: '{"amount":30}' };
    yield text(app, 'orders', { method: 'POST', headers: JSON_TYPE, body: '{"number":12,"item":"lamp"}' });
    yield text(app, 'orders/12/payment', paid);
    yield String((await fetch(`${app.url}/workflows/orders/12/payment`, paid)).status);
    yield text(app, 'shout', upload('words.txt', 'good morning\n'));
    yield text(app, 'shout', upload('shout.json', '{}'));
  },
  async *loops(app) {
    const lines = [
      { name: 'chair', price: 60 },
      { name: 'lamp', price: 30 },
      { name: 'desk', price: 90 },
    ];
    yield text(app, 'budget', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ budget: 100, lines }) });
    yield text(app, 'countdown/3');
  },
  async *scheduling(app) {
    await app.advance(4000);
    yield String((await app.instancesOf('ticks')).length >= 3);
    const morning = await app.execute('morning', { triggerActivityId: 'Opening' });
    await app.advance(4000);
    yield `${short(morning)}\n${short(await app.instance(morning.id))}`;
  },
  async *scripting(app) {
    yield text(app, 'vat/lt123456789');
    yield text(app, 'vat/12');
  },
};

/** Answers that are not asked for here: `relay` asks another port, and schedules are asked of the management API. */
const LEFT_OUT: Readonly<Record<string, number>> = { http: 2, scheduling: 1 };

const request = (app: Served, at: string, init?: RequestInit) => fetch(`${app.url}/workflows/${at}`, init);
const text = async (app: Served, at: string, init?: RequestInit) => (await request(app, at, init)).text();

async function textAndStatus(app: Served, at: string): Promise<string> {
  const response = await request(app, at);
  return `${await response.text()} ${response.status}`;
}

function upload(name: string, content: string): RequestInit {
  const body = new FormData();
  body.append('file', new Blob([content]), name);
  return { method: 'POST', body };
}

/** Lines of JSON by what they say, other lines as they are. */
const read = (answer: string) =>
  answer
    .trim()
    .split('\n')
    .map((line): unknown => {
      try {
        return JSON.parse(line);
      } catch {
        return line;
      }
    });

describe.each(['TypeScript', 'JSON'])('in %s', (notation) => {
  it.each([...pages])('the examples of %s answer what the page prints', async (page, { answers }) => {
    const got: unknown[] = [];
    for await (const answer of requests[page]!(applications[notation]!)) got.push(read(answer));
    expect(got).toEqual(answers.slice(0, answers.length - (LEFT_OUT[page] ?? 0)).map(read));
  });
});
