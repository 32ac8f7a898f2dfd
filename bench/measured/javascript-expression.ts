import type { ExpressionScope } from '@waymark/core';
import { JavaScriptEvaluator, JavaScriptExpressionHandler } from '@waymark/expressions/adapter';
import { runTimed } from '../measure/timed-loops.js';
import { argument, serveParent } from '../processes/serve-parent.js';
import { BATCH, EXPRESSION, X } from '../workflows/expression.js';

/** A JavaScript expression as an activity input has it: compiled once, the sandbox loaded, all limits on. */
const { atOnce, ...options } = argument<{
  sandboxOnly: boolean;
  sandbox?: 'inline' | 'worker';
  /** Evaluations that run side by side, where they are promises. */
  atOnce?: number;
}>();
const evaluator = await JavaScriptEvaluator.create(options);
const evaluate = new JavaScriptExpressionHandler(evaluator).compile({ type: 'JavaScript', value: EXPRESSION });

const scope = {
  facts: {
    workflowInstanceId: 'i',
    workflowDefinitionId: 'd',
    workflowDefinitionVersionId: 'v',
    workflowDefinitionVersion: 1,
  },
  getVariable: (name: string) => (name === 'x' ? X : null),
  hasVariable: (name: string) => name === 'x',
  variableNames: () => ['x'],
  inputNames: () => [],
  activityOutputs: () => [],
} as Partial<ExpressionScope> as ExpressionScope;

function run(): unknown {
  let result: unknown;
  for (let i = 0; i < BATCH; i++) result = evaluate(scope);
  return result;
}

async function runInWorkers(): Promise<unknown> {
  let result: unknown;
  let left = BATCH;
  const loop = async (): Promise<void> => {
    while (left-- > 0) result = await evaluate(scope);
  };
  await Promise.all(Array.from({ length: atOnce! }, loop));
  return result;
}

function after(result: unknown): void {
  if (result !== X + 1) throw new Error(`Not evaluated: ${String(result)}`);
}

const timed = { units: BATCH, run: options.sandbox === 'worker' ? runInWorkers : run, after };
serveParent({ run: (seconds: number) => runTimed(seconds, timed) });
