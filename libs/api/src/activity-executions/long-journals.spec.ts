import type { ActivityExecutionRecord, WorkflowExecutionLogEntry } from '@waymark/core';
import { WorkflowPersistence } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, useServer } from '../module/api-harness.spec.js';

const BURSTS = 250;
const ID = 'long';
const AT = 1_800_000_000_000;
const idOf = (n: number) => `${ID}-${n.toString(36)}`;
const activity = (n: number) => ({
  activityId: `A${n % 2}`,
  activityNodeId: `W:A${n % 2}`,
  activityType: 'Test.A',
  activityTypeVersion: 1,
});

const aRecord = (n: number, more: Partial<ActivityExecutionRecord> = {}): ActivityExecutionRecord => ({
  ...{ id: idOf(n), ...activity(n), properties: {}, metadata: { n }, startedAt: new Date(AT + n) },
  ...{ hasBookmarks: false, status: 'Completed', completedAt: new Date(AT + n + 10), aggregateFaultCount: 0 },
  callStackDepth: n,
  ...(n > 0 ? { schedulingActivityExecutionId: idOf(n - 1) } : {}),
  ...more,
});
const anEntry = (n: number): WorkflowExecutionLogEntry => ({
  ...{ sequence: n, activityInstanceId: idOf(n), ...activity(n), timestamp: new Date(AT + n) },
  eventName: n % 5 === 0 ? 'Faulted' : 'Completed',
});

describe.each(pairsOf(ADAPTERS, 'fastify'))('a long journal on %s', (adapter) => {
  const { call, app } = useServer(adapter);
  let most: number;
  const journalOf = () => app().get(WorkflowPersistence).journal;

  beforeAll(async () => {
    const journal = journalOf();
    const waiting = { status: 'Running', hasBookmarks: true, completedAt: undefined } as const;
    for (let n = 0; n < BURSTS; n++) await journal.append(ID, { log: [anEntry(n)], records: [aRecord(n, waiting)] });
    // All but the last ten end in the end.
    for (let n = 0; n < BURSTS - 10; n++) await journal.append(ID, { log: [], records: [aRecord(n)] });
    const far = { schedulingActivityExecutionId: idOf(2), schedulingWorkflowInstanceId: ID };
    await journal.append('kid', { log: [], records: [aRecord(0, { id: 'kid-0', ...far })] });
    const readChunks = journal.readChunks.bind(journal);
    journal.readChunks = (id, ids) => {
      most = Math.max(most, ids.length);
      return readChunks(id, ids);
    };
    const refuse = () => Promise.reject(new Error('Everything was read.'));
    journal.readRecords = refuse;
    journal.readLog = refuse;
  });
  beforeEach(() => {
    most = 0;
  });
  afterEach(() => expect([most > 0, most <= 100]).toEqual([true, true]));

  const list = async (query: string) =>
    (await call('GET', `/activity-executions/list?workflowInstanceId=${ID}&${query}`)).json;
  const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

  it('answers a page of executions without loading the others', async () => {
    const page = await list('skip=100&take=2');
    expect([ids(page), page.count, page.totalCount]).toEqual([[idOf(100), idOf(101)], 2, BURSTS]);
    const open = await list('completed=false&activityNodeId=W:A1');
    expect([ids(open), open.totalCount]).toEqual([[241, 243, 245, 247, 249].map(idOf), undefined]);
    const { json } = await call('GET', `/activity-executions/count?workflowInstanceId=${ID}&completed=true`);
    expect(json).toEqual({ count: BURSTS - 10 });
  });

  it('adds up the results of each node', async () => {
    const request = { workflowInstanceId: ID };
    const { stats } = (await call('POST', '/activity-executions/report', request)).json;
    expect(stats).toEqual(
      [0, 1].map((n) => ({
        activityId: `A${n}`,
        activityNodeId: `W:A${n}`,
        startedCount: 125,
        completedCount: 120,
        uncompletedCount: 5,
        canceledCount: 0,
        durationMs: 1_200,
        isBlocked: true,
        isFaulted: false,
        aggregateFaultCount: 0,
        metadata: { n: 248 + n, _type: 'ObjectMap' },
      })),
    );
  });

  it('finds the callers of an execution, and those in other instances unless they are not wanted', async () => {
    const stack = (await call('GET', `/activity-executions/${idOf(249)}/call-stack?skip=100&take=3`)).json;
    expect([ids(stack), stack.totalCount]).toEqual([[100, 101, 102].map(idOf), BURSTS]);
    expect(stack.items[0].status).toBe('Completed');
    const own = (await call('GET', '/activity-executions/kid-0/call-stack?includeCrossWorkflowChain=false')).json;
    expect([ids(own), own.totalCount]).toEqual([['kid-0'], 1]);
    for (const query of ['', '?includeCrossWorkflowChain=true']) {
      const across = (await call('GET', `/activity-executions/kid-0/call-stack${query}`)).json;
      expect([ids(across), across.totalCount]).toEqual([[idOf(0), idOf(1), idOf(2), 'kid-0'], 4]);
    }
  });

  it('answers a page of selected entries, and the last entry of an activity', async () => {
    const request = { filter: { eventNames: ['Faulted'], activityIds: ['A1'] }, skip: 1, take: 2 };
    const { json } = await call('POST', `/workflow-instances/${ID}/journal`, request);
    const sequences = json.items.map(({ sequence }: { sequence: number }) => sequence);
    expect([sequences, json.totalCount]).toEqual([[15, 25], 25]);
  });
});
