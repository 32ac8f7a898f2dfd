import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  type ActivityJson,
  Input,
  Output,
  type WorkflowState,
} from '@waymark/core';
import { EncryptedValue } from '@waymark/core/adapter';
import {
  AlterationRunner,
  type EncryptionKeyProvider,
  EnvironmentKeys,
  FileKeys,
  IBookmarkQueue,
  IEventPublisher,
  IWorkflowCancellationService,
  IWorkflowDefinitionPublisher,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  WorkflowEncryption,
  type WorkflowPersistence,
  type WorkflowRuntimeOptions,
  AlterationPlans,
} from '@waymark/runtime';
import { type OutboxMessage, resolveRuntimeOptions } from '@waymark/runtime/adapter';
import { type TestBackend, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const seen: unknown[] = [];

/** Waits, with an input that is stored encrypted, and gives what is bound to an encrypted variable. */
@Injectable()
@Activity({ type: 'Test.Safe' })
class Safe extends ActivityBase {
  @Input({ isEncrypted: true }) code: string;
  @Input() label: string;
  @Output() receipt: string;

  execute(ctx: ActivityExecutionContext): void {
    this.receipt = 'receipt-4711-secret';
    seen.push([this.code, ctx.getVariable('iban'), ctx.getInput('Pin')]);
    ctx.log('Opened', `code ${this.code}`);
    ctx.createBookmark({ callback: this.onResumed, stimulus: { code: this.code } });
  }

  onResumed(ctx: ActivityExecutionContext): unknown {
    seen.push([this.code, ctx.getVariable('iban'), ctx.getInput('Pin')]);
    return ctx.complete();
  }
}

/** Sees the input of the workflow that it is part of, before and after a wait. */
@Injectable()
@Activity({ type: 'Test.Peek' })
class Peek extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    seen.push(ctx.getInput('Pin'));
    ctx.createBookmark({ callback: this.onResumed });
  }

  onResumed(ctx: ActivityExecutionContext): unknown {
    seen.push(ctx.getInput('Pin'));
    return ctx.complete();
  }
}

const encrypted = (name: string, typeName = 'String', value?: string) => ({
  id: name,
  name,
  typeName,
  isArray: false,
  ...(value === undefined ? {} : { value }),
  storageDriverTypeName: 'EncryptedStorageDriver',
});
const variables = [encrypted('iban'), encrypted('amount', 'Int32'), encrypted('receipt')];
const inputs = [{ name: 'Pin', type: 'String', isArray: false, storageDriverType: 'EncryptedStorageDriver' }];
const variable = (id: string) => ({ id, name: id, typeName: 'String' });
const set = (id: string, to: string): ActivityJson => ({
  type: 'Elsa.SetVariable',
  id: `Set-${id}`,
  variable: variable(id),
  value: literal(to, 'Object'),
});
const safe = (id: string): ActivityJson => ({
  type: 'Test.Safe',
  id,
  code: { typeName: 'String', expression: { type: 'Variable', value: variable('iban') } },
  label: literal('plain-label'),
  receipt: { typeName: 'String', memoryReference: { id: 'receipt' } },
});

const to = (id: string) => ({ typeName: 'Object', memoryReference: { id } });
const root = sequence('Root', set('iban', 'DE-secret-iban'), set('amount', '98765'), safe('First'), safe('Second'));
/** Values that must not lie anywhere; the definition has those of the literals. */
const SECRETS = ['DE-secret-iban', '98765', 'pin-secret-1', 'receipt-4711-secret'];

const key = () => randomBytes(32).toString('base64');
const [OLD, NEW, OTHER] = [key(), key(), key()];
const ring = (keys: string): EncryptionKeyProvider => new EnvironmentKeys('K', { K: keys });

describeOn(await testBackends(), 'values that a definition wants encrypted, on $name', (backend: TestBackend) => {
  let persistence: WorkflowPersistence;
  const nodes: RuntimeNode[] = [];

  beforeEach(async () => {
    seen.length = 0;
    persistence = await backend.create();
  });
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.close();
  });
  afterAll(() => backend.drop());

  async function nodeWith(keys: string | undefined, options: WorkflowRuntimeOptions = {}): Promise<RuntimeNode> {
    const encryption = keys === undefined ? undefined : { keys: ring(keys) };
    const node = await startNode(persistence, { ...options, encryption, providers: [Safe, Peek] });
    nodes.push(node);
    return node;
  }

  /** A new node on the same store, as after a restart with other keys. */
  async function restart(keys: string | undefined): Promise<RuntimeNode> {
    await nodes.pop()!.close();
    persistence = await backend.create();
    return nodeWith(keys);
  }

  async function begin(node: RuntimeNode, workflowInstanceId: string) {
    await node.deploy('safe', root, { variables, inputs });
    const client = await node.get(IWorkflowRuntime).createClient(workflowInstanceId);
    return client.createAndRunInstance({ definition: 'safe', input: { pin: 'pin-secret-1' } });
  }

  async function resume(node: RuntimeNode, id: string) {
    const [bookmark] = (await persistence.instances.load(id))!.state.bookmarks;
    const client = await node.get(IWorkflowRuntime).createClient(id);
    return client.runInstance({ bookmarkId: bookmark!.id });
  }

  const keyIds = (state: WorkflowState): Set<string> => {
    const ids = new Set<string>();
    JSON.stringify(state, function (this: Record<string, unknown>, name: string, value: unknown) {
      const raw = this[name];
      if (raw instanceof EncryptedValue) ids.add(raw.keyId);
      return value;
    });
    return ids;
  };

  it('encrypts the report of a child that a parent keeps while its output does not fit an encrypted variable', async () => {
    const node = await nodeWith(`k1:${OLD}`, { strictConversions: true });
    const value = literal('paid-by-secret-iban');
    const output: ActivityJson = { type: 'Elsa.SetOutput', id: 'O', outputName: literal('paid'), outputValue: value };
    const outputs = [{ name: 'paid', type: 'String', isArray: false }];
    await node.deploy('kid', sequence('S', output), { outputs });
    const result = { typeName: 'Int32', memoryReference: { id: 'amount' } };
    const child = { type: 'Elsa.ExecuteWorkflow', id: 'K', workflowDefinitionId: literal('kid'), result };
    await node.deploy('parent', sequence('S', child), { variables });
    const client = await node.get(IWorkflowRuntime).createClient();
    const { subStatus } = await client.createAndRunInstance({ definition: 'parent' });
    expect(subStatus).toBe('Faulted');
    const { state } = (await persistence.instances.load(client.workflowInstanceId))!;
    const kept = state.activityExecutionContexts.flatMap(({ properties }) => properties.ChildReport ?? []);
    expect(kept).toEqual([expect.any(EncryptedValue)]);
    expect(JSON.stringify(state)).not.toContain('paid-by-secret-iban');
  });

  it('values that a definition wants encrypted are there in every burst, and neither in the state nor in rows nor in the journal', async () => {
    const node = await nodeWith(`k1:${OLD}`);
    await begin(node, 'i-clear');
    await resume(node, 'i-clear');
    const { state } = (await persistence.instances.load('i-clear'))!;
    expect(state.status).toBe('Running');
    const records = await persistence.journal.readRecords('i-clear');
    const entries = await persistence.journal.readLog('i-clear');
    const rows = await persistence.bookmarks.findMany({ workflowInstanceId: 'i-clear' });
    const stored = JSON.stringify([state, records, entries, rows]);
    expect(SECRETS.filter((secret) => stored.includes(secret))).toEqual([]);
    expect(stored).toContain('plain-label');
    expect(keyIds(state)).toEqual(new Set(['k1']));
    await resume(node, 'i-clear');
    const values = ['DE-secret-iban', 'DE-secret-iban', 'pin-secret-1'];
    expect(seen).toEqual([values, values, values, values]);
    expect((await persistence.instances.load('i-clear'))!.subStatus).toBe('Finished');
  });

  it('values that a definition wants encrypted are read with the key that they name, and written with the current one', async () => {
    await begin(await nodeWith(`k1:${OLD}`), 'i-rotated');
    const node = await restart(`k2:${NEW},k1:${OLD}`);
    await resume(node, 'i-rotated');
    expect(keyIds((await persistence.instances.load('i-rotated'))!.state)).toEqual(new Set(['k2']));
    await resume(await restart(`k2:${NEW}`), 'i-rotated');
    expect(seen).toHaveLength(4);
  });

  it.each([
    ['a key that is gone', () => `k2:${NEW}`, 'WM3044'],
    ['another key under its name', () => `k1:${OTHER}`, 'WM3045'],
    ['no keys at all', () => undefined, 'WM3043'],
  ])(
    'values that a definition wants encrypted wait for %s, and the instance can be cancelled meanwhile',
    async (_what, keys, code) => {
      const id = `i-${code}`;
      await begin(await nodeWith(`k1:${OLD}`), id);
      await begin(nodes[0]!, `${id}-2`);
      const before = await persistence.instances.load(id);
      const without = await restart(keys());
      const error = await resume(without, id).catch((thrown: unknown) => thrown as Error);
      expect(error).toMatchObject({ code });
      if (code !== 'WM3043') expect((error as Error).message).toContain("'k1'");
      expect(SECRETS.filter((secret) => (error as Error).message.includes(secret))).toEqual([]);
      expect(await persistence.instances.load(id)).toEqual(before);
      await without.get(IWorkflowCancellationService).cancel([`${id}-2`]);
      expect((await persistence.instances.load(`${id}-2`))!.subStatus).toBe('Cancelled');
      await resume(await restart(`k1:${OLD}`), id);
      expect(seen.at(-1)).toEqual(['DE-secret-iban', 'DE-secret-iban', 'pin-secret-1']);
    },
  );

  it('values that a definition wants encrypted are written anew by a maintenance call, so that a key can be given up', async () => {
    await begin(await nodeWith(`k1:${OLD}`), 'i-anew');
    await begin(nodes[0]!, 'i-done');
    for (let step = 0; step < 2; step++) await resume(nodes[0]!, 'i-done');
    const before = await persistence.instances.load('i-anew');
    const node = await restart(`k2:${NEW},k1:${OLD}`);
    const encryption = node.get(WorkflowEncryption);
    const all = { rewritten: 0, failed: [] as string[] };
    for (let after: string | undefined; ;) {
      const { rewritten, failed, next } = await encryption.reencrypt({ after, limit: 1 });
      all.rewritten += rewritten;
      all.failed.push(...failed);
      if (next === undefined) break;
      after = next;
    }
    expect(all.rewritten).toBeGreaterThanOrEqual(2);
    const written = (await persistence.instances.load('i-anew'))!;
    expect(keyIds(written.state)).toEqual(new Set(['k2']));
    expect(keyIds((await persistence.instances.load('i-done'))!.state)).toEqual(new Set(['k2']));
    expect(written).toMatchObject({ subStatus: 'Suspended', updatedAt: before!.updatedAt });
    expect((await encryption.reencrypt()).rewritten).toBe(0);
    await resume(await restart(`k2:${NEW}`), 'i-anew');
    expect(seen.at(-1)).toEqual(['DE-secret-iban', 'DE-secret-iban', 'pin-secret-1']);
  });

  it('values that a definition wants encrypted are not in stored messages, stimuli and plans either, which are served all the same', async () => {
    const node = await nodeWith(`k1:${OLD}`);
    await node.deploy('safe', root, { variables, inputs });
    const written: OutboxMessage[] = [];
    const { outbox } = persistence;
    const add = outbox.add.bind(outbox);
    outbox.add = (messages) => add((written.push(...messages), messages));
    const dispatched = await node
      .get(IWorkflowDispatcher)
      .dispatch({ definition: 'safe', input: { pin: 'pin-secret-1' } });
    await node.settled();
    expect(written).toMatchObject([{ kind: 'encrypted-start', payload: { definition: {}, keyId: 'k1' } }]);
    expect(JSON.stringify(written)).not.toContain('pin-secret-1');
    expect(seen).toEqual([['DE-secret-iban', 'DE-secret-iban', 'pin-secret-1']]);

    const itemId = await node
      .get(IBookmarkQueue)
      .enqueue({ activityTypeName: 'Elsa.Event', stimulusHash: 'none', input: { card: 'card-secret-1' } });
    const item = await persistence.queue.find(itemId);
    expect(item!.input).toEqual({ encrypted: expect.any(EncryptedValue) as unknown });
    expect(JSON.stringify(item)).not.toContain('card-secret-1');

    const alterations = [{ type: 'ModifyVariable', variableId: 'iban', value: 'iban-secret-2' }] as const;
    const plans = node.get(AlterationPlans);
    const filter = { workflowInstanceIds: [dispatched] };
    const planId = await plans.submit({ alterations, filter });
    expect(JSON.stringify(await plans.find(planId!))).not.toContain('iban-secret-2');
    await node.settled();
    await resume(node, dispatched);
    expect(seen.at(-2)).toEqual(['DE-secret-iban', 'iban-secret-2', 'pin-secret-1']);
    const entries = await persistence.journal.readLog(dispatched);
    expect(JSON.stringify(entries)).toContain('ModifyVariable');
    expect(JSON.stringify(entries)).not.toContain('iban-secret-2');
  });

  it('values that a definition wants encrypted, and that a repair sets, are not in the journal of what that runs', async () => {
    const node = await nodeWith(`k1:${OLD}`);
    const text = { typeName: 'String', expression: { type: 'Variable', value: { id: 'iban' } } };
    const show = sequence('Show', { type: 'Elsa.WriteLine', id: 'W', text }, set('iban', 'DE-secret-iban'));
    await node.deploy('shown', sequence('Root', safe('First'), show), { variables, inputs });
    const client = await node.get(IWorkflowRuntime).createClient('i-shown');
    await client.createAndRunInstance({ definition: 'shown', input: { pin: 'pin-secret-1' } });
    const alterations = [
      { type: 'ModifyVariable', variableId: 'iban', value: 'iban-secret-3' },
      { type: 'ScheduleActivity', activityId: 'Show' },
    ] as const;
    expect(await node.get(AlterationRunner).run('i-shown', alterations)).toMatchObject({ isSuccessful: true });
    expect(node.lines).toEqual(['(redacted)']);
    const { journal } = persistence;
    const written = JSON.stringify([await journal.readRecords('i-shown'), await journal.readLog('i-shown')]);
    expect(written).not.toContain('iban-secret-3');
  });

  it('values that a definition wants encrypted are not in the messages of an event that many wait for, nor in one that comes too early', async () => {
    const node = await nodeWith(`k1:${OLD}`, { fanOutLimit: 1 });
    const wait: ActivityJson = { type: 'Elsa.Event', id: 'Wait', eventName: literal('paid'), result: to('iban') };
    await node.deploy('many', sequence('Root', wait, line('Line', 'done')), {
      variables: [encrypted('iban', 'Object')],
    });
    const written: unknown[] = [];
    const { outbox, queue } = persistence;
    const [fanOut, enqueue] = [outbox.fanOut.bind(outbox), queue.enqueue.bind(queue)];
    outbox.fanOut = (fan) => fanOut((written.push(fan), fan));
    queue.enqueue = (item) => enqueue((written.push(item), item));
    const start = async (id: string) => {
      const client = await node.get(IWorkflowRuntime).createClient(id);
      await client.createAndRunInstance({ definition: 'many', correlationId: id });
    };
    for (const id of ['m-1', 'm-2', 'm-3']) await start(id);
    const events = node.get(IEventPublisher);
    await events.publish('paid', { payload: { card: 'card-secret-1' } });
    await node.settled();
    expect(node.lines).toEqual(['done', 'done', 'done']);
    await events.publish('paid', { payload: { card: 'card-secret-2' }, correlationId: 'm-4' });
    await start('m-4');
    await node.settled();
    expect(node.lines).toHaveLength(4);
    for (const id of ['m-5', 'm-6', 'm-7']) await start(id);
    await events.publish('paid', { payload: { card: 'card-secret-3', text: 'x'.repeat(10_000) } });
    await node.settled();
    expect(node.lines).toHaveLength(7);
    expect(written.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(written)).toContain('encrypted-resume-bookmark');
    expect(JSON.stringify(written)).toContain('encrypted-shared-input');
    expect(JSON.stringify(written)).not.toContain('card-secret');
  });

  it('values that a definition wants encrypted are encrypted in a workflow that is used as an activity', async () => {
    const node = await nodeWith(`k1:${OLD}`);
    const options = { usableAsActivity: true };
    await node.deploy('inner', { type: 'Test.Peek', id: 'Peek' }, { inputs, options, name: 'Inner' });
    const use = { type: 'Inner', id: 'Use', version: 1, workflowDefinitionId: 'inner', pin: literal('pin-secret-1') };
    await node.deploy('outer', sequence('Root', use));
    const client = await node.get(IWorkflowRuntime).createClient('i-outer');
    await client.createAndRunInstance({ definition: 'outer' });
    const { state } = (await persistence.instances.load('i-outer'))!;
    expect({ incidents: state.incidents, seen }).toEqual({ incidents: [], seen: ['pin-secret-1'] });
    const records = await persistence.journal.readRecords('i-outer');
    expect(JSON.stringify([state, records])).not.toContain('pin-secret-1');
    await resume(node, 'i-outer');
    expect(seen).toEqual(['pin-secret-1', 'pin-secret-1']);
  });

  it('values that a definition wants encrypted are valid for their own place alone', async () => {
    const node = await nodeWith(`k1:${OLD}`);
    await begin(node, 'i-one');
    await begin(node, 'i-two');
    const [one, two] = [await persistence.instances.load('i-one'), await persistence.instances.load('i-two')];
    const moved = { ...two!, state: { ...two!.state, input: one!.state.input } };
    const { revision, ...instance } = moved;
    const nothing = { addedBookmarks: [], removedBookmarkIds: [], consumedBookmarkIds: [], outbox: [], queue: [] };
    const journal = { log: [], records: [] };
    const none = { consumedMessageIds: [], consumedQueueItemIds: [] };
    await persistence.commit({ instance, expectedRevision: revision, journal, ...nothing, ...none });
    await expect(resume(node, 'i-two')).rejects.toMatchObject({ code: 'WM3045' });
  });
});

describe('a value that was cut or changed', () => {
  it.each(['', 'AAAA', 'A'.repeat(200)])('is refused: %j', async (data) => {
    const cipher = resolveRuntimeOptions({ encryption: { keys: ring(`k1:${OLD}`) } }).encryption!;
    await cipher.load();
    expect(() => cipher.decrypt(new EncryptedValue('k1', data), 'variable x')).toThrow(
      /variable x cannot be decrypted/,
    );
  });

  it('a value with one changed bit is refused', async () => {
    const cipher = resolveRuntimeOptions({ encryption: { keys: ring(`k1:${OLD}`) } }).encryption!;
    await cipher.load();
    const { data } = cipher.encrypt('a text', 'variable x');
    const bytes = Buffer.from(data, 'base64');
    expect(cipher.decrypt(new EncryptedValue('k1', data), 'variable x')).toBe('a text');
    for (let i = 0; i < bytes.length; i++) {
      bytes[i]! ^= 1;
      const changed = new EncryptedValue('k1', bytes.toString('base64'));
      expect(() => cipher.decrypt(changed, 'variable x')).toThrow(/cannot be decrypted/);
      bytes[i]! ^= 1;
    }
  });
});

describe('a host without keys', () => {
  it('runs no workflow with encrypted values', async () => {
    const { available } = await testBackends('memory');
    const persistence = await available[0]!.create();
    const node = await startNode(persistence, { providers: [Safe] });
    try {
      await expect(node.deploy('safe', root, { variables, inputs })).rejects.toThrow(/'encryption'/);
      await expect(node.deploy('inner', safe('Only'))).rejects.toThrow(/'encryption'/);
      const scope = { ...sequence('Scope', line('L', 'x')), variables: [encrypted('iban')] };
      await expect(node.deploy('scope', scope)).rejects.toThrow(/'encryption'/);
      await node.deploy('plain', line('L', 'x'));
      // Published by a node that has keys.
      const other = await startNode(persistence, { providers: [Safe], encryption: { keys: ring(`k1:${OLD}`) } });
      await other.deploy('inner', safe('Only'), { options: { usableAsActivity: true } });
      await other.close();
      await node.get(IWorkflowDefinitionPublisher).refresh();
      const use = { type: 'Inner', id: 'Use', version: 1, workflowDefinitionId: 'inner' };
      await expect(node.deploy('outer', sequence('Root', use))).rejects.toThrow(/'encryption'/);
      seen.length = 0;
      const client = await node.get(IWorkflowRuntime).createClient();
      await expect(client.createAndRunInstance({ definition: 'inner' })).rejects.toMatchObject({ code: 'WM3043' });
      expect(seen).toEqual([]);
    } finally {
      await node.close();
    }
  });
});

describe('keys', () => {
  it.each([
    ['', /there is none/],
    ['k1', /has no colon/],
    ['k1:c2hvcnQ=', /has 5 bytes instead of 32/],
    [`k 1:${OLD}`, /has no colon/],
    [`ä:${OLD}`, /id of entry 1/],
    [`k1:${OLD},k1:${NEW}`, /two keys are called 'k1'/],
  ])('%j are refused, and not repeated', async (keys, reason) => {
    const cipher = resolveRuntimeOptions({ encryption: { keys: ring(keys) } }).encryption!;
    const error = await cipher.load().catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: 'WM3046', message: expect.stringMatching(reason) as unknown });
    for (const given of [OLD, NEW]) expect(String(error)).not.toContain(given);
  });

  it('keys come from a file, one a line', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'waymark-keys-'));
    try {
      const file = path.join(directory, 'keys');
      writeFileSync(file, `k2:${NEW}\nk1:${OLD}\n`);
      const cipher = resolveRuntimeOptions({ encryption: { keys: new FileKeys(file) } }).encryption!;
      await cipher.load();
      expect(cipher.currentKeyId).toBe('k2');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('keys need redaction', () => {
    expect(() => resolveRuntimeOptions({ redaction: false, encryption: { keys: ring(`k1:${OLD}`) } })).toThrow(
      /'encryption' contradicts 'redaction: false'/,
    );
  });
});
