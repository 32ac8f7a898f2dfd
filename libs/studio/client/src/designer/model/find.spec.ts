import { describe, expect, it } from '@jest/globals';
import type { ActivityJson } from '../../api/definitions.js';
import { type Found, findNode } from './find.js';

const found = (id: string, ...steps: readonly string[]): Found => ({
  activity: { id, type: 'Elsa.HttpEndpoint' } as ActivityJson,
  steps: steps.map((step) => ({ id: step, slot: ['body'] })),
  trail: [],
});

describe('an activity that a run names', () => {
  const top = found('Step');
  const inOne = found('Step', 'One');
  const inBoth = found('Step', 'One', 'Two');
  const all = [top, inOne, inBoth, found('Other', 'One')];

  it('is the one that stands there, where several have its id', () => {
    expect(findNode(all, 'Step', 'Workflow1:Flow:Step')).toBe(top);
    expect(findNode(all, 'Step', 'Workflow1:Flow:One:Body:Step')).toBe(inOne);
    expect(findNode(all, 'Step', 'Workflow1:Flow:One:Body:Two:Body:Step')).toBe(inBoth);
  });

  it('is found by its id where its place is another one by now', () => {
    expect(findNode([inBoth], 'Step', 'Workflow1:Flow:Step')).toBe(inBoth);
    expect(findNode(all, 'Gone', 'Workflow1:Flow:Gone')).toBeUndefined();
  });
});
