import { describe, expect, it } from '@jest/globals';
import { ValueNotStorableError, type WorkflowState } from '@waymark/core';
import { deserialize, inAnyCasing, isInAnyCasing } from '@waymark/core/adapter';
import { serialize } from '../rows/stored-text.js';
import { readStateInLines, stateText, stateTextInLines } from './state-text.js';

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

  it('the text of a state reads as what it was written from, with values that only the codec can write', () => {
    const state = { ...stateOf(100), output: { map: new Map([['a', 1n]]) } };
    expect(deserialize(stateText(state))).toEqual(state);
  });

  it.each([
    ['Executing', true],
    ['Suspended', true],
    ['Interrupted', true],
    ['Faulted', true],
    ['Finished', false],
    ['Cancelled', false],
  ])('the state of an instance that is %s notes which variables are read in any casing: %s', (subStatus, isNoted) => {
    const headers = () => inAnyCasing({ 'X-Test': '1' });
    const contexts = [{ id: 'c', properties: { Variables: { Headers: headers() } } }];
    const state = { subStatus, activityExecutionContexts: contexts, output: { Headers: headers() } };
    const read = deserialize<typeof state>(stateText(state as unknown as WorkflowState));
    expect(read).toEqual(state);
    expect(isInAnyCasing(read.activityExecutionContexts[0]!.properties.Variables.Headers)).toBe(isNoted);
    expect(isInAnyCasing(read.output.Headers)).toBe(true);
  });

  it('stores the common parts of its branches once', () => {
    const state = stateOf(1000);
    expect(stateText(state).match(/"typeName"/g)).toHaveLength(2);
    expect(stateText(state).length).toBeLessThan(serialize(state, 'state').length);
  });
});

describe('the text of a large state', () => {
  it('is refused with the place of what cannot be read, as that of a small one', async () => {
    const state = stateOf(1000);
    const unreadable = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('getter');
      },
    });
    const of = (where: object): WorkflowState => ({ ...state, ...where });
    const inMember = of({ output: { unreadable } });
    const inList = of({ scheduledActivities: Array.from({ length: 1000 }, () => ({ tag: unreadable })) });
    for (const each of [inMember, inList]) {
      expect(() => stateText(each)).toThrow(ValueNotStorableError);
      await expect(stateTextInLines(each, () => undefined)).rejects.toThrow(ValueNotStorableError);
    }
  });

  /** Counts its pauses. */
  const pauses = () => {
    let count = 0;
    const pause = async () => void count++;
    return { pause, count: () => count };
  };

  it('is written and read in lines, with pauses', async () => {
    const state = stateOf(1700);
    const writing = pauses();
    const text = await stateTextInLines(state, writing.pause);
    expect([writing.count(), text.split('\n').length]).toEqual([3, 1702]);
    const reading = pauses();
    expect(await readStateInLines(text, reading.pause)).toEqual(state);
    expect(reading.count()).toBeGreaterThan(6);
  });

  it('is read by nodes of versions that know of no lines', async () => {
    const state = stateOf(1700);
    expect(deserialize(await stateTextInLines(state, pauses().pause))).toEqual(state);
  });

  it('is read when such a node has written it', async () => {
    const state = stateOf(1700);
    expect(await readStateInLines(stateText(state), pauses().pause)).toEqual(state);
  });

  it('is read when it has several items in a line, as earlier versions have written it', async () => {
    const state = stateOf(1700);
    const items = (await stateTextInLines(state, pauses().pause)).split('\n');
    const text = items.reduce((all, line, i) =>
      line.startsWith(',') && i % 500 !== 0 ? all + line : `${all}\n${line}`,
    );
    expect(text.split('\n').length).toBeLessThan(10);
    const reading = pauses();
    expect(await readStateInLines(text, reading.pause)).toEqual(state);
    expect(reading.count()).toBeGreaterThan(6);
  });

  it('has the same text as that of a small one, but for line breaks', async () => {
    const state = stateOf(1700);
    const text = await stateTextInLines(state, pauses().pause);
    expect(text.replaceAll('\n', '')).toBe(stateText(state));
  });

  it('keeps lists that are no lists of objects', async () => {
    const lists = {
      numbers: Array.from({ length: 700 }, (_, i) => i),
      texts: Array.from({ length: 700 }, (_, i) => `],\n[${i}`),
      nested: Array.from({ length: 700 }, (_, i) => [i, [new Date(i)], undefined]),
      missing: Array.from({ length: 700 }, (_, i) => (i % 3 === 0 ? undefined : null)),
    };
    const state = { ...stateOf(700), ...lists } as unknown as WorkflowState;
    expect(await readStateInLines(await stateTextInLines(state, pauses().pause), pauses().pause)).toEqual(state);
  });

  it('is read when it was laid out by hand', async () => {
    const state = stateOf(700);
    const text = JSON.stringify(JSON.parse(stateText(state)), null, 1);
    expect(await readStateInLines(text, pauses().pause)).toEqual(state);
    expect(await readStateInLines(text.replaceAll(/\n +/g, '\n'), pauses().pause)).toEqual(state);
  });

  it.each([
    ['only the codec can write', new Map([['a', 1n]])],
    ['are bytes', new Uint8Array([1, 2, 3])],
    ['are missing', undefined],
    ['have line breaks and brackets', '\n]\n,{"a":[\n'],
  ])('keeps values that %s', async (_what, tag) => {
    const state = stateOf(700);
    const contexts = state.activityExecutionContexts as { tag?: unknown }[];
    contexts[600]!.tag = tag;
    const given = { ...state, output: { tag } } as WorkflowState;
    expect(await readStateInLines(await stateTextInLines(given, pauses().pause), pauses().pause)).toEqual(given);
  });

  it('names what cannot be stored by its place', async () => {
    const state = stateOf(700);
    (state.activityExecutionContexts as { tag?: unknown }[])[600]!.tag = () => 1;
    await expect(stateTextInLines(state, pauses().pause)).rejects.toMatchObject({
      code: 'WM1102',
      message: expect.stringContaining('activityExecutionContexts[600]'),
    });
  });
});
