import { describe, expect, it } from '@jest/globals';
import { type WorkflowState } from '@waymark/core';
import { deserialize } from '@waymark/core/adapter';
import { serialize } from '../rows/stored-text.js';
import { stateText } from './state-text.js';

/** A state with branches of two loops, and with contexts that declare nothing. */
function stateOf(branches: number): WorkflowState {
  const variablesOf = (name: string) => [{ id: name, name, typeName: 'Object', isArray: false }];
  const lists = [variablesOf('CurrentValue'), variablesOf('Row')];
  const contexts = Array.from({ length: branches }, (_, i) => ({
    id: `c${i}`,
    startedAt: new Date(i),
    dynamicVariables: i % 5 === 0 ? [] : lists[i % 2],
  }));
  return { id: 'i', createdAt: new Date(0), activityExecutionContexts: contexts } as unknown as WorkflowState;
}

describe('the text of a state', () => {
  it.each([0, 3, 100])('reads as what it was written from, with %d branches', (count) => {
    expect(deserialize(stateText(stateOf(count)))).toEqual(stateOf(count));
  });

  it('also with values that only the codec can write', () => {
    const state = { ...stateOf(100), output: { map: new Map([['a', 1n]]) } };
    expect(deserialize(stateText(state))).toEqual(state);
  });

  it('says once what its branches have in common', () => {
    const state = stateOf(1000);
    expect(stateText(state).match(/"typeName"/g)).toHaveLength(2);
    expect(stateText(state).length).toBeLessThan(serialize(state, 'state').length);
  });
});
