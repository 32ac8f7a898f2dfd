import { StateParts } from './state-parts.js';
import type { ActivityExecutionContextState, Bookmark, WorkflowState } from '../state/workflow-state.js';

const context = (id: string, parentContextId?: string, more: Partial<ActivityExecutionContextState> = {}) =>
  ({
    id,
    ...(parentContextId !== undefined && { parentContextId }),
    scheduledActivityNodeId: id,
    properties: {},
    metadata: {},
    activityState: {},
    startedAt: new Date(0),
    ...more,
  }) as ActivityExecutionContextState;
const bookmark = (id: string, activityInstanceId: string) => ({ id, activityInstanceId }) as Bookmark;

/** A root with two branches of two executions each, and one that the second has begun. */
function aState(): WorkflowState {
  return {
    id: 'i',
    input: { Order: { lines: [1] } },
    output: {},
    properties: { at: new Date(5) },
    bookmarks: [bookmark('b2', 'a2'), bookmark('b3', 'a3'), bookmark('bb', 'b2')],
    completionCallbacks: [{ ownerInstanceId: 'root', childNodeId: 'a1', methodName: 'on' }],
    scheduledActivities: [{ activityNodeId: 'later' }],
    activityExecutionContexts: [
      context('a3', 'a2'),
      context('b2', 'b1'),
      context('a2', 'a1', { activityState: { Number: 2, List: ['x'] }, tag: new Map([['k', 1]]) }),
      context('b1', 'root'),
      context('a1', 'root', { properties: { Variables: { v: { list: [] } } } }),
      context('root', undefined, {
        properties: { Variables: { when: new Date(7) } },
        activityState: { Items: [1, 2] },
      }),
    ],
  } as unknown as WorkflowState;
}

describe('a part of a state', () => {
  it('has the execution, its children and its containers, in the order of a state', () => {
    const part = new StateParts(aState()).take('a2')!;
    expect(part.activityExecutionContexts.map(({ id }) => id)).toEqual(['a3', 'a2', 'a1', 'root']);
    expect(part.bookmarks.map(({ id }) => id)).toEqual(['b3', 'b2']);
    expect([part.completionCallbacks, part.scheduledActivities]).toEqual([[], []]);
    const { id, input, properties } = aState();
    expect(part).toMatchObject({ id, input, properties });
  });

  it('has copies of all stored values', () => {
    const state = aState();
    const parts = new StateParts(state);
    const first = parts.take('a2')!;
    const ofAll = ({ activityExecutionContexts }: WorkflowState) =>
      ['a2', 'a1', 'root'].map((id) => activityExecutionContexts.find((each) => each.id === id)!);
    expect(ofAll(first)).toEqual(ofAll(state));
    const [own, around, root] = ofAll(first);
    (own!.activityState.List as string[]).push('changed');
    (around!.properties.Variables as { v: { list: string[] } }).v.list.push('changed');
    (root!.properties.Variables as { when: Date }).when.setTime(0);
    (first.input.Order as { lines: number[] }).lines.push(2);
    expect(state).toEqual(aState());
    expect(ofAll(parts.take('a2')!)).toEqual(ofAll(aState()));
    expect(parts.take('b2')!.input).toEqual(aState().input);
  });

  it('is missing for an unknown execution, and bookmarks are found by id', () => {
    const parts = new StateParts(aState());
    expect(parts.take('gone')).toBeUndefined();
    expect([parts.hasBookmark('bb'), parts.hasBookmark('gone')]).toEqual([true, false]);
  });

  it('ends in a corrupt state with a cycle', () => {
    const wrong = { ...aState(), activityExecutionContexts: [context('x', 'y'), context('y', 'x')] };
    expect(new StateParts(wrong).take('x')!.activityExecutionContexts.map(({ id }) => id)).toEqual(['y', 'x']);
  });
});
