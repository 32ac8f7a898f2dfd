import type { ExpressionScope } from '@waymark/core';
import { JavaScriptEvaluator, JavaScriptExpressionHandler } from '@waymark/expressions';
import { runTimed } from '../measure/timed-loops.js';
import { argument, serveParent } from '../processes/serve-parent.js';
import { BATCH, EXPRESSION, X } from '../workflows/expression.js';

/** A JavaScript expression as an activity input has it: compiled once, the sandbox loaded, all limits on. */
const options = argument<{ sandboxOnly: boolean }>();
const evaluate = new JavaScriptExpressionHandler(await JavaScriptEvaluator.create(options)).compile({
  type: 'JavaScript',
  value: EXPRESSION,
});

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

function after(result: unknown): void {
  if (result !== X + 1) throw new Error(`Not evaluated: ${String(result)}`);
}

serveParent({ run: (seconds: number) => runTimed(seconds, { units: BATCH, run, after }) });
