import { describe, expect, it } from '@jest/globals';
import type { CompletionCallbackState, ScheduledActivityState } from '@waymark/core';
import { ValueTooLargeError } from '@waymark/runtime';
import type { BurstCommit } from '@waymark/runtime/adapter';
import { serialize } from '../rows/stored-text.js';
import { requirePossible } from './size-limits.js';

const BRANCHES = 20_000;

const scheduled = (value: unknown): ScheduledActivityState => ({
  activityNodeId: 'Root:Loop:Body',
  ownerContextId: 'i-3',
  variables: [
    {
      definition: { id: 'v', name: 'CurrentValue', typeName: 'Object', isArray: false },
      value,
    },
  ],
});
const callback: CompletionCallbackState = { ownerInstanceId: 'i-3', childNodeId: 'Root:Loop', methodName: 'onDone' };

const burst = (atAnySize = false) => {
  const state = {
    scheduledActivities: Array.from({ length: BRANCHES }, (_, i) => scheduled(i)),
    completionCallbacks: Array.from({ length: BRANCHES }, () => callback),
  };
  return { instance: { id: 'i', state }, atAnySize } as unknown as BurstCommit;
};

describe('a state of many branches', () => {
  const bytes = serialize(burst().instance.state, 'state').length;

  it('is refused without being made text, with what is largest of it', () => {
    const refused = () => requirePossible(burst(), bytes / 4);
    expect(refused).toThrow(ValueTooLargeError);
    expect(refused).toThrow(/scheduledActivities .*completionCallbacks/);
  });

  it('is never refused where it would fit', () => {
    expect(() => requirePossible(burst(), bytes)).not.toThrow();
    expect(() => requirePossible(burst(true), 1)).not.toThrow();
  });
});
