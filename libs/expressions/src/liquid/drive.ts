import { isGeneratorObject } from 'node:util/types';
import type { RenderBudget } from './render-budget.js';

/** No template nests generators deeper than that. */
const MAX_DEPTH = 10_000;

type Step = Generator<unknown, unknown, unknown>;

/**
 * Runs the engine's generators to their end. It renders, evaluates and filters in generators that yield one another, with
 * a loop that has no limit; here each step is paid for, so no loop of tags, elements or members runs past the budget.
 */
export function drive(root: Iterator<unknown>, budget: RenderBudget): unknown {
  /** Those that wait for the one that runs. */
  const waiting: Step[] = [];
  let top = root as Step;
  let value: unknown;
  let isError = false;
  for (;;) {
    // Outside of the generators: what ends a rendering cannot be caught by a tag.
    budget.step();
    let isDone = true;
    try {
      // Values are not asked whether they are generators: those of a scope answer by reading variables.
      const result = isError ? top.throw(value) : top.next(value);
      isError = false;
      isDone = result.done === true;
      value = result.value;
    } catch (error) {
      isError = true;
      value = error;
    }
    // Ranges too, which no filter makes.
    if (isDone && !isError) budget.admit(value);
    if (!isError && typeof value === 'object' && isGeneratorObject(value)) {
      if (waiting.length >= MAX_DEPTH) throw new RangeError('The template is nested too deeply.');
      if (!isDone) waiting.push(top);
      top = value as unknown as Step;
      value = undefined;
    } else if (isDone) {
      const next = waiting.pop();
      if (next === undefined) {
        if (isError) throw value;
        return value;
      }
      top = next;
    }
  }
}
