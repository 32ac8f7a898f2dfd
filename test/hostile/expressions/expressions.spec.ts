import { beforeAll, describe, expect, it, test } from '@jest/globals';
import { LiquidExpressionHandler } from '@waymark/expressions';
import { JavaScriptEvaluator, JavaScriptExpressionHandler } from '@waymark/expressions/adapter';
import type { ExpressionHandler } from '@waymark/core';
import { isThorough, sampleOf } from '../../support/depth.js';
import { builtInMatrix } from './built-in-matrix.js';
import { filterMatrix } from './filter-matrix.js';
import { type HostileInput, hostileScope } from './hostile-input.js';
import { javaScriptCorpus } from './javascript-corpus.js';
import { liquidCorpus } from './liquid-corpus.js';
import { randomInput } from './random-inputs.js';
import { stallOf } from './stall-probe.js';

/**
 * The limits are 250 ms of the processor; `run-corpus.ts` measures how close it comes. Here the machine is shared and the
 * processor's clock counts other threads as well, so what fails is work without a bound: that took 20 s and more.
 */
const BOUND_MS = 10_000;
/** For a part, on a machine that has much else to do. */
const PART_MS = 300_000;
const SEEDS = Array.from({ length: 60 }, (_, i) => 1000 + i);
/** Every which input a quick run takes. */
const SHARE = 24;

let handlers: Record<HostileInput['type'], ExpressionHandler>;
beforeAll(async () => {
  const evaluator = await JavaScriptEvaluator.create();
  handlers = { JavaScript: new JavaScriptExpressionHandler(evaluator), Liquid: new LiquidExpressionHandler() };
});

/** What must hold for every input: it ends, in a value or a typed error, and the next one is not harmed. */
async function expectBounded(inputs: readonly HostileInput[]): Promise<void> {
  for (const { type, source } of inputs) {
    const { cpuMs, outcome } = await stallOf(() => handlers[type].compile({ type, value: source })(hostileScope()));
    const shown = `${type} ${source.slice(0, 200)}`;
    expect({ shown, outcome, isBounded: cpuMs < BOUND_MS }).toEqual({
      shown,
      outcome: expect.stringMatching(/^(?:value of|WM4\d{3}$)/) as unknown,
      isBounded: true,
    });
  }
}

describe('no expression blocks the process', () => {
  it.each([0, 1, 2, 3, 4])(
    'no template of the corpus blocks the process, part %i',
    (part) => expectBounded(sampleOf(liquidCorpus, SHARE).filter((_, i) => i % 5 === part)),
    PART_MS,
  );

  it.each([0, 1, 2, 3])(
    'no script of the corpus blocks the process, part %i',
    (part) => expectBounded(sampleOf(javaScriptCorpus, SHARE).filter((_, i) => i % 4 === part)),
    PART_MS,
  );

  it.each(['Liquid', 'JavaScript'] as const)(
    'no random expression in %s blocks the process',
    (type) => expectBounded(sampleOf(SEEDS, SHARE).map((seed) => randomInput(type, seed))),
    PART_MS,
  );
});

/** Of all filters and built-ins with all kinds of values and arguments: `run-corpus.ts --matrix` tries more of them. */
describe('no filter and no built-in function blocks the process', () => {
  const some = (inputs: Iterable<HostileInput>, step: number) => [...inputs].filter((_, i) => i % step === 0);
  it(
    'no filter of a template blocks the process',
    () => expectBounded(some(filterMatrix(), isThorough ? 997 : 4999)),
    PART_MS,
  );
  it(
    'no built-in function of a script blocks the process',
    () => expectBounded(some(builtInMatrix(), isThorough ? 1999 : 9973)),
    PART_MS,
  );
});

test('an expression that takes long is detected by the probe', async () => {
  const { cpuMs, outcome } = await stallOf(() => {
    const end = process.cpuUsage().user + 60_000;
    while (process.cpuUsage().user < end);
  });
  expect(cpuMs).toBeGreaterThan(50);
  expect(outcome).toBe('value of undefined');
});

test('neighbouring seeds make inputs of all kinds', () => {
  const sources = Array.from({ length: 200 }, (_, i) => randomInput('JavaScript', 1000 + i).source);
  const programs = sources.filter((source) => source.startsWith('let r;')).length;
  expect(programs).toBeGreaterThan(50);
  expect(programs).toBeLessThan(150);
});

test('the same seed makes the same input', () => {
  expect(randomInput('Liquid', 5)).toEqual(randomInput('Liquid', 5));
  expect(randomInput('JavaScript', 6).source).not.toBe(randomInput('JavaScript', 7).source);
});
