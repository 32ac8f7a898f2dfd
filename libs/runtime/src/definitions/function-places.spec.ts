import { describe, expect, it } from '@jest/globals';
import {
  activity,
  forEach,
  inline,
  sequence,
  setVariable,
  type Steps,
  WorkflowDefinitionBuilder,
  writeLine,
} from '@waymark/core';
import { fits, type FunctionPlaces, functionPlaces } from './function-places.js';

function places(build: (w: WorkflowDefinitionBuilder) => Steps): FunctionPlaces {
  const w = new WorkflowDefinitionBuilder('x');
  w.root(build(w));
  return functionPlaces(w.build().definition);
}

const line = (id?: string) => writeLine(() => 'x', { id });

describe('a function of other code', () => {
  it('is found at a step with an explicit id, wherever the step is now', () => {
    const stored = places(() => [line('a'), line('b')]);
    const code = places(() => [writeLine('new'), line('b'), sequence([line('c'), line('a')])]);
    expect(fits('a.text', code, stored)).toBe(true);
    expect(fits('b.text', code, stored)).toBe(true);
    expect(fits('c.text', code, stored)).toBe(false);
  });

  it('is not found if ids are counted and another step was inserted before it', () => {
    const stored = places(() => [line(), line()]);
    expect(
      fits(
        'WriteLine1.text',
        places(() => [line(), line(), line()]),
        stored,
      ),
    ).toBe(false);
    expect(
      fits(
        'WriteLine1.text',
        places(() => [writeLine('new'), line(), line()]),
        stored,
      ),
    ).toBe(false);
    // Those of other types count for themselves.
    expect(
      fits(
        'WriteLine2.text',
        places(() => [inline(() => 1), line(), line('d'), line()]),
        stored,
      ),
    ).toBe(true);
  });

  it('is not found at another type, member or version of an activity', () => {
    const stored = places(() => [line('a')]);
    expect(
      fits(
        'a.text',
        places(() => [inline(() => 1, { id: 'a' })]),
        stored,
      ),
    ).toBe(false);
    expect(
      fits(
        'a.run',
        places(() => [inline(() => 1, { id: 'a' })]),
        stored,
      ),
    ).toBe(false);
    expect(
      fits(
        'a.text',
        places(() => [activity('Elsa.WriteLine', { text: () => 'x' }, { id: 'a' })]),
        stored,
      ),
    ).toBe(false);
  });

  it('is not found inside a loop or a scope of variables that the stored version does not have', () => {
    const stored = places(() => [line('a')]);
    expect(
      fits(
        'a.text',
        places(() => [forEach([1], line('a'))]),
        stored,
      ),
    ).toBe(false);
  });

  it('is not found when more is declared that it might use, but is when less is declared', () => {
    const declares = (...names: string[]) =>
      places((w) => names.map((name) => setVariable(w.variable<number>(name), () => 1, { id: name })));
    expect(fits('a.value', declares('a'), declares('a', 'b'))).toBe(true);
    expect(fits('a.value', declares('a', 'b'), declares('a'))).toBe(false);
  });
});
