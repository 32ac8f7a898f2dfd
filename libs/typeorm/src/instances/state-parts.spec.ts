import { describe, expect, it, jest } from '@jest/globals';
import type { WorkflowState } from '@waymark/core';
import { deserialize, inAnyCasing, restingLists, RestingPart, withRestingLists } from '@waymark/core/adapter';
import { ValueNotes } from '../rows/value-notes.js';
import { partsOf, type StateParts, stateOf, textOfParts } from './state-parts.js';
import { readStateInLines, stateText } from './state-text.js';

const pause = (): undefined => undefined;
const VARIABLES = [
  [{ id: 'v', name: 'CurrentValue', typeName: 'Object', isArray: false, value: undefined }],
  [{ id: 'r', name: 'Row' }],
];

/** A state with branches of two loops, dates, bytes, members without a value, and objects in any casing. */
function plainState(branches: number, output: unknown = {}): WorkflowState {
  const all = Array.from({ length: branches }, (_, i) => i);
  return {
    id: 'i',
    createdAt: new Date(0),
    bookmarks: all.map((i) => ({ id: `b${i}`, activityInstanceId: `c${i}`, createdAt: new Date(i), payload: { i } })),
    completionCallbacks: all.map((i) => ({ ownerInstanceId: 'root', childInstanceId: `c${i}`, methodName: 'm' })),
    activityExecutionContexts: all.map((i) => ({
      id: `c${i}`,
      parentContextId: i === branches - 1 ? undefined : 'root',
      properties: { Variables: { v: inAnyCasing({ Name: i }), bytes: new Uint8Array([i % 7]) } },
      startedAt: new Date(i),
      dynamicVariables: i % 5 === 0 ? [] : VARIABLES[i % 2],
    })),
    scheduledActivities: [],
    output,
  } as unknown as WorkflowState;
}

/** The same as a burst leaves it. */
function left(state: WorkflowState): WorkflowState {
  const { activityExecutionContexts, bookmarks, completionCallbacks } = state;
  return withRestingLists({ ...state }, { activityExecutionContexts, bookmarks, completionCallbacks });
}

async function made(state: WorkflowState): Promise<StateParts> {
  return (await partsOf(state, restingLists(state)!, pause))!;
}

describe('the text of a state in parts', () => {
  it.each([1, 3, 100, 700])('reads as what it was written from, with %d branches', async (count) => {
    const text = textOfParts(await made(left(plainState(count))));
    expect(deserialize(text)).toEqual(plainState(count));
    expect(await readStateInLines(text, pause)).toEqual(plainState(count));
    expect(deserialize(stateText(deserialize(text)))).toEqual(plainState(count));
  });

  it('stores the common parts of its branches once', async () => {
    const text = textOfParts(await made(left(plainState(1000))));
    expect(text.match(/"CurrentValue"/g)).toHaveLength(1);
    expect(text.split('\n')).toHaveLength(3 * 1001 + 1);
  });

  it('is left to the codec where it has a value that only the codec can write', async () => {
    const inList = plainState(10);
    Object.assign(inList.bookmarks[3]!, { payload: new Map([['a', 1n]]) });
    for (const state of [inList, plainState(10, { map: new Map() })])
      expect(await partsOf(left(state), restingLists(left(state))!, pause)).toBeUndefined();
  });
});

describe('a state that is stored in parts', () => {
  it('begins a burst without one of them being read', async () => {
    const parts = await made(left(plainState(100)));
    const read = jest.spyOn(RestingPart.prototype, 'read');
    const state = stateOf(parts);
    expect([restingLists(state)!.bookmarks.length, state.createdAt]).toEqual([100, new Date(0)]);
    expect(read).not.toHaveBeenCalled();
    expect(state).toEqual(plainState(100));
    expect(read).toHaveBeenCalledTimes(300);
    read.mockRestore();
  });

  it('gives each burst values of its own', async () => {
    const parts = await made(left(plainState(100)));
    const first = stateOf(parts);
    Object.assign(first.activityExecutionContexts[7]!.properties, { Variables: 'changed' });
    Object.assign(first.output, { more: true });
    expect(stateOf(parts)).toEqual(plainState(100));
  });

  it('is written again but for what has changed', async () => {
    const parts = await made(left(plainState(700)));
    const lists = restingLists(stateOf(parts))!;
    const changed = { ...plainState(700).activityExecutionContexts[5]!, status: 'Faulted' as const };
    const next = withRestingLists(stateOf(parts), {
      ...lists,
      activityExecutionContexts: lists.activityExecutionContexts.map((entry, i) => (i === 5 ? changed : entry)),
      bookmarks: lists.bookmarks.filter((_, i) => i !== 9),
    });
    const written = jest.spyOn(ValueNotes.prototype, 'apart');
    const read = jest.spyOn(RestingPart.prototype, 'read');
    const nextParts = await made(next);
    // The frame, the execution, and the list of variables that it declares; nothing of the other 2,098 items.
    expect([written.mock.calls.length, read.mock.calls.length]).toEqual([2, 0]);
    written.mockRestore();
    read.mockRestore();
    const expected = plainState(700);
    expected.activityExecutionContexts[5] = changed;
    expected.bookmarks.splice(9, 1);
    expect(deserialize(textOfParts(nextParts))).toEqual(expected);
  });
});
