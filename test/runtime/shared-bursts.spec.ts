import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Activity, ActivityBase, type ActivityExecutionContext, Input, type WorkflowState } from '@waymark/core';
import {
  IBookmarkResumer,
  type IWorkflowClient,
  IWorkflowRuntime,
  WorkflowPersistence,
  type StoredBookmark,
} from '@waymark/runtime';
import { BurstExecutor, OutboxProcessor } from '@waymark/runtime/adapter';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

interface Go {
  readonly fails?: boolean;
  readonly unstorable?: boolean;
}

/** Waits for its number, and tells what it finds when it continues. */
@Activity({ type: 'Test.Branch' })
class Branch extends ActivityBase {
  static runs: number[] = [];
  @Input({ type: 'Int32' }) number!: number;
  /** No input: it lasts as long as the burst. */
  private calls = 0;

  execute(ctx: ActivityExecutionContext): void {
    this.calls++;
    ctx.createBookmark({ name: 'Go', stimulus: { number: this.number }, callback: this.onGo });
  }

  onGo(ctx: ActivityExecutionContext<Go>): unknown {
    Branch.runs.push(this.number);
    const seen = ctx.getVariable<unknown[]>('Seen');
    const scratch = ctx.getVariable<number>('Scratch') + 1;
    ctx.setVariable('Scratch', scratch);
    const calls = ++this.calls;
    ctx.setVariable('Seen', [...seen, { number: this.number, scratch, calls, input: Object.keys(ctx.input) }]);
    if (ctx.input.fails) throw new Error(`Branch ${this.number} fails.`);
    if (ctx.input.unstorable) ctx.setVariable('Other', () => undefined);
    return ctx.complete();
  }
}

const branch = (number: number) =>
  sequence(
    `B${number}`,
    { type: 'Test.Branch', id: `W${number}`, number: literal(number, 'Int32') },
    { type: 'Test.Branch', id: `X${number}`, number: literal(number + 100, 'Int32') },
    line(`L${number}`, String(number)),
  );
const STORED = 'WorkflowInstanceStorageDriver';
const MORE = {
  variables: [
    { id: 'seen', name: 'Seen', typeName: 'Object', value: [], storageDriverTypeName: STORED },
    { id: 'other', name: 'Other', typeName: 'Object', storageDriverTypeName: STORED },
    { id: 'scratch', name: 'Scratch', typeName: 'Int32', value: 0, storageDriverTypeName: 'MemoryStorageDriver' },
  ],
};
const root = (count: number) =>
  sequence('S', { type: 'Elsa.Parallel', id: 'P', activities: Array.from({ length: count }, (_, i) => branch(i)) });

const numberOf = ({ payload }: { payload?: unknown }) => (payload as { number: number }).number;
const digest = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 16).toLowerCase();

describeOn(await testBackends(...EVERY_STORE), 'Resumes of one instance at the same time, on $name', (backend) => {
  let nodes: RuntimeNode[];
  beforeEach(async () => {
    Branch.runs = [];
    const persistence = await backend.create();
    nodes = [await startNode(persistence, { providers: [Branch] })];
    await nodes[0]!.deploy('branches', root(6), MORE);
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
  });
  afterAll(() => backend.drop());

  const store = () => nodes[0]!.get(WorkflowPersistence);

  async function started(): Promise<{ client: IWorkflowClient; rows: StoredBookmark[] }> {
    const client = await nodes[0]!.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'branches' });
    const rows = await store().bookmarks.findMany({ workflowInstanceId: client.workflowInstanceId });
    return { client, rows: rows.sort((a, b) => numberOf(a) - numberOf(b)) };
  }
  const revisionOf = async ({ workflowInstanceId }: IWorkflowClient) =>
    (await store().instances.load(workflowInstanceId))!.revision;
  const resume = (row: StoredBookmark, input?: Go) =>
    nodes[0]!.get(IBookmarkResumer).resumeWaiting(row, { input: { ...input } });
  const codesOf = (results: PromiseSettledResult<unknown>[]) =>
    results.map((r) => (r.status === 'fulfilled' ? 'done' : (r.reason as { code?: string }).code));

  it('resumes of one instance at the same time are stored in one commit, in their order, and each is answered', async () => {
    const { client, rows } = await started();
    const before = await revisionOf(client);
    const asked = [rows[3]!, rows[1]!, rows[1]!, rows[5]!, rows[0]!];
    const results = await Promise.allSettled(asked.map((row) => resume(row)));
    expect(codesOf(results)).toEqual(['done', 'done', 'WM3004', 'done', 'done']);
    expect(Branch.runs).toEqual([3, 1, 5, 0]);
    expect(await revisionOf(client)).toBe(before + 1);
  });

  it('resumes of one instance at the same time run each on the state that the previous one left', async () => {
    const order = [3, 1, 4, 0];
    const [together, apart] = [await started(), await started()];
    await Promise.all(order.map((n) => resume(together.rows[n]!, { fails: false })));
    for (const n of order) await resume(apart.rows[n]!, { fails: false });

    const seen = async ({ client, rows }: Awaited<ReturnType<typeof started>>) => {
      const now = await store().bookmarks.findMany({ workflowInstanceId: client.workflowInstanceId });
      const log = await store().journal.readLog(client.workflowInstanceId);
      const records = await store().journal.readRecords(client.workflowInstanceId);
      const all = { state: await client.exportState(), log, records };
      let text = JSON.stringify(all, withoutTimes).replaceAll(client.workflowInstanceId, 'instance');
      for (const row of [...rows, ...now])
        text = text.replaceAll(row.id, `bookmark ${numberOf(row)}`).replaceAll(digest(row.id), `by ${numberOf(row)}`);
      return JSON.parse(text) as { state: WorkflowState };
    };
    const [first, second] = [await seen(together), await seen(apart)];
    expect(first.state.activityExecutionContexts.filter(({ origin }) => origin?.startsWith('by '))).toHaveLength(4);
    expect(first).toEqual(second);
  });

  it('blame a fault on the one that made it, and refuse those behind it', async () => {
    const { client, rows } = await started();
    const [one, two, three] = await Promise.allSettled([
      resume(rows[0]!),
      resume(rows[1]!, { fails: true }),
      resume(rows[2]!),
    ]);
    expect(one).toMatchObject({ value: { status: 'Running', subStatus: 'Suspended', incidents: [] } });
    expect(two).toMatchObject({ value: { subStatus: 'Faulted', incidents: [{ message: 'Branch 1 fails.' }] } });
    expect(three).toMatchObject({ reason: { code: 'WM3003' } });
    expect((await client.exportState()).subStatus).toBe('Faulted');
    expect(Branch.runs).toEqual([0, 1]);
  });

  it('resumes of one instance at the same time keep what came before one that cannot be stored', async () => {
    const { client, rows } = await started();
    const results = await Promise.allSettled(
      rows.map((row) => resume(row, numberOf(row) === 3 ? { unstorable: true } : {})),
    );
    expect(codesOf(results)).toEqual(['done', 'done', 'done', 'done', 'WM3003', 'WM3003']);
    expect(results[3]).toMatchObject({ value: { subStatus: 'Faulted' } });
    const { subStatus, incidents, bookmarks } = await client.exportState();
    expect([subStatus, incidents.map(({ activityId }) => activityId)]).toEqual(['Faulted', ['W3']]);
    expect(bookmarks.map(numberOf).sort((a, b) => a - b)).toEqual([3, 4, 5, 100, 101, 102]);
  });

  it('resumes of one instance at the same time use up the message of each in the same commit, and leave out one whose message is gone', async () => {
    const { client, rows } = await started();
    const [kept] = nodes[0]!.get(OutboxProcessor).prepare([{ kind: 'unknown', payload: {} }]);
    await store().outbox.add([kept!]);
    const executor = nodes[0]!.get(BurstExecutor);
    const messages = [[kept!.id], ['gone'], []];
    const results = await Promise.allSettled(
      messages.map((consumedMessageIds, i) =>
        executor.resume(client.workflowInstanceId, { bookmarkId: rows[i]!.id }, { consumedMessageIds }),
      ),
    );
    expect(codesOf(results)).toEqual(['done', 'WM7004', 'done']);
    expect((await store().outbox.count()).waiting).toBe(0);
    const { bookmarks } = await client.exportState();
    expect(bookmarks.map(numberOf).sort((a, b) => a - b)).toEqual([1, 3, 4, 5, 100, 102]);
  });

  it('resumes of one instance at the same time are all served when two nodes have some of them each', async () => {
    nodes.push(await startNode(await backend.create(), { providers: [Branch] }));
    const { client, rows } = await started();
    const results = await Promise.allSettled(
      rows.map((row, i) => nodes[i % 2]!.get(IBookmarkResumer).resumeWaiting(row)),
    );
    expect(codesOf(results)).toEqual(rows.map(() => 'done'));
    const { bookmarks } = await client.exportState();
    expect(bookmarks.map(numberOf).sort((a, b) => a - b)).toEqual([100, 101, 102, 103, 104, 105]);
  });

  it('resumes of one instance at the same time do not overtake what was asked for in between', async () => {
    const { client, rows } = await started();
    const [one, cancelled, two] = await Promise.allSettled([resume(rows[0]!), client.cancel(), resume(rows[1]!)]);
    expect([one.status, cancelled]).toEqual(['fulfilled', { status: 'fulfilled', value: true }]);
    expect(codesOf([two])).toEqual(['WM3003']);
    expect(Branch.runs).toEqual([0]);
  });

  it('resumes of one instance at the same time are refused all at once when their instance is gone', async () => {
    const { client, rows } = await started();
    await client.delete();
    expect(codesOf(await Promise.allSettled(rows.map((row) => resume(row))))).toEqual(rows.map(() => 'WM3001'));
  });
});

/** Of what two instances that did the same have in common. */
function withoutTimes(key: string, value: unknown): unknown {
  if (/At$|^timestamp$/.test(key)) return undefined;
  return value;
}
