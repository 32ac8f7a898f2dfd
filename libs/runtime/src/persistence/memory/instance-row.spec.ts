import type { ActivityExecutionContextState, WorkflowState } from '@waymark/core';
import { toInstanceRecord } from '../records.js';
import { isolate } from './isolate.js';
import { isolateRow, toInstanceRow } from './instance-row.js';
import { instanceRowInParts, isolateRowInParts } from './instance-row-in-parts.js';

const AT = new Date('2026-01-02T03:04:05Z');

function contextOf(more: Partial<ActivityExecutionContextState> = {}): ActivityExecutionContextState {
  return {
    id: 'i-1',
    scheduledActivityNodeId: 'Workflow1',
    callStackDepth: 0,
    properties: { Variables: { Order: { lines: [{ sku: 'a', due: AT }] } } },
    metadata: {},
    activityState: { Tags: new Set(['x']), Rates: new Map([['eur', 1n]]) },
    dynamicVariables: [],
    status: 'Running',
    isExecuting: false,
    faultCount: 0,
    startedAt: new Date(AT),
    ...more,
  };
}

function stateOf(more: Partial<WorkflowState> = {}): WorkflowState {
  return {
    id: 'i',
    definitionId: 'd',
    definitionVersionId: 'd-1',
    definitionVersion: 1,
    isSystem: false,
    status: 'Running',
    subStatus: 'Suspended',
    isExecuting: false,
    bookmarks: [],
    incidents: [],
    completionCallbacks: [],
    activityExecutionContexts: [contextOf()],
    scheduledActivities: [],
    executionLogSequence: 3,
    activityExecutionCount: 1,
    input: { file: new Uint8Array([1, 2]) },
    output: {},
    properties: {},
    createdAt: new Date(AT),
    updatedAt: new Date(AT),
    ...more,
  };
}

/** All objects that a value consists of, without those that are frozen because many rows share them. */
function objectsIn(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || found.has(value)) return found;
  found.add(value);
  for (const member of [...Object.values(value), ...(value instanceof Map || value instanceof Set ? value : [])])
    objectsIn(member, found);
  return found;
}

describe('toInstanceRow', () => {
  it('makes what isolate makes, and the revision', () => {
    const record = toInstanceRecord(stateOf({ finishedAt: new Date(AT), correlationId: 'c' }));
    expect(toInstanceRow(record, 7)).toEqual({ ...isolate(record), revision: 7 });
  });

  it('shares nothing with its source that can change', () => {
    const record = toInstanceRecord(stateOf());
    const given = objectsIn(record);
    expect([...objectsIn(toInstanceRow(record, 1))].filter((part) => given.has(part))).toEqual([]);
  });

  it.each([
    ['nothing in it', {}],
    ['contexts that are not objects', { activityExecutionContexts: [null, 'x', new Map([['a', AT]])] }],
    ['no prototype', Object.assign(Object.create(null), { output: { a: [1] } })],
  ])('takes a state with %s as isolate does', (_what, state) => {
    const record = { ...toInstanceRecord(stateOf()), state: state as WorkflowState };
    expect(toInstanceRow(record, 1)).toEqual({ ...isolate(record), revision: 1 });
  });

  it('keeps dates of the record apart from those of the state where they differ', () => {
    const createdAt = new Date('2020-01-01T00:00:00Z');
    const row = toInstanceRow({ ...toInstanceRecord(stateOf()), createdAt }, 1);
    expect([row.createdAt, row.state.createdAt]).toEqual([createdAt, AT]);
    expect(row.createdAt).not.toBe(createdAt);
  });

  it('uses the codec for values that only the codec can convert, as a database would', () => {
    const address = new URL('https://example.org/a');
    const row = toInstanceRow(toInstanceRecord(stateOf({ output: { address } })), 1);
    expect(row.state.output).toEqual(isolate({ address }));
  });

  it.each([
    ['a function in the output', stateOf({ output: { send: () => undefined } })],
    ['an invalid date of the state', stateOf({ updatedAt: new Date(NaN) })],
    ['a tag that is a symbol', stateOf({ activityExecutionContexts: [contextOf({ tag: Symbol('s') })] })],
  ])('refuses %s by its place', (_what, state) => {
    const record = toInstanceRecord(state);
    const refusal = (make: () => unknown): unknown => {
      try {
        return make();
      } catch (error) {
        return { code: (error as { code?: unknown }).code, message: (error as Error).message };
      }
    };
    expect(refusal(() => toInstanceRow(record, 1))).toEqual(refusal(() => isolate(record, 'instance')));
    expect(refusal(() => toInstanceRow(record, 1))).toHaveProperty('code', 'WM1102');
  });
});

/** A value or a part of it that cannot be changed. */
function frozenIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(Object.isFrozen(value) ? [value] : []), ...Object.values(value).flatMap(frozenIn)];
}

describe('isolateRow', () => {
  const variables = [{ id: 'Row', name: 'Row', typeName: 'Object', isArray: false }];
  const rowOf = (contexts: number) => {
    const branches = Array.from({ length: contexts }, (_, i) =>
      contextOf({ id: `i-${i}`, dynamicVariables: variables }),
    );
    return toInstanceRow(toInstanceRecord(stateOf({ activityExecutionContexts: branches })), 3);
  };

  it.each([1, 100])('makes what isolate makes, of %d branches', (count) => {
    const row = rowOf(count);
    expect(isolateRow(row, { weight: 0 })).toEqual(isolate(row));
  });

  it('shares nothing with the row, and among branches only what they declare', () => {
    const row = rowOf(100);
    const copy = isolateRow(row, { weight: 0 });
    const given = objectsIn(row);
    expect([...objectsIn(copy)].filter((part) => given.has(part))).toEqual([]);
    const [first, second] = copy.state.activityExecutionContexts;
    expect(first!.dynamicVariables).toBe(second!.dynamicVariables);
    expect(first!.properties).not.toBe(second!.properties);
    expect(frozenIn(copy)).toEqual([]);
  });

  it('weighs about what isolate does', () => {
    const [mine, whole] = [{ weight: 0 }, { weight: 0 }];
    const row = rowOf(100);
    isolateRow(row, mine);
    isolate(row, 'instance', whole);
    expect(mine.weight).toBeGreaterThan(whole.weight / 2);
    expect(mine.weight).toBeLessThan(whole.weight * 2);
  });

  it('uses the codec for values that only the codec can copy', () => {
    const address = new URL('https://example.org/a');
    const row = rowOf(100);
    const contexts = [...row.state.activityExecutionContexts, contextOf({ tag: address })];
    const given = { ...row, state: { ...row.state, activityExecutionContexts: contexts } };
    expect(isolateRow(given, { weight: 0 })).toEqual(isolate(given));
  });
});

describe('a large instance', () => {
  const contexts = Array.from({ length: 1200 }, (_, i) => contextOf({ id: `i-${i}` }));
  const large = (more: Partial<WorkflowState> = {}) =>
    toInstanceRecord(stateOf({ activityExecutionContexts: contexts, ...more }));
  /** Counts its pauses. */
  const pauses = () => {
    let count = 0;
    const pause = async () => void count++;
    return { pause, count: () => count };
  };

  it('is copied in parts, as it would have been at once', async () => {
    const { pause, count } = pauses();
    const record = large();
    const row = await instanceRowInParts(record, 3, pause);
    expect(row).toEqual(toInstanceRow(record, 3));
    expect(count()).toBe(3);
    const given = objectsIn(record);
    expect([...objectsIn(row)].filter((part) => given.has(part))).toEqual([]);
  });

  it('is handed out in parts, as it would have been at once', async () => {
    const row = toInstanceRow(large(), 3);
    const copy = await isolateRowInParts(row, pauses().pause);
    expect(copy).toEqual(isolate(row));
    const given = objectsIn(row);
    expect([...objectsIn(copy)].filter((part) => given.has(part))).toEqual([]);
  });

  it('is returned with empty lists and objects that activities can change', async () => {
    const branches = contexts.map((context) => ({ ...context, activityState: {} }));
    const row = toInstanceRow(large({ activityExecutionContexts: branches }), 3);
    expect(frozenIn(await isolateRowInParts(row, pauses().pause))).toEqual([]);
  });

  it('is copied by the codec where one of its branches needs it', async () => {
    const address = new URL('https://example.org/a');
    const record = large({ activityExecutionContexts: [...contexts, contextOf({ tag: address })] });
    expect(await instanceRowInParts(record, 1, pauses().pause)).toEqual(toInstanceRow(record, 1));
  });

  it('is refused by its place, in parts as well', async () => {
    const tag = Symbol('s');
    const record = large({ activityExecutionContexts: [...contexts, contextOf({ tag })] });
    const refused = expect(instanceRowInParts(record, 1, pauses().pause)).rejects;
    await refused.toMatchObject({ code: 'WM1102', message: expect.stringContaining('1200') });
  });
});
