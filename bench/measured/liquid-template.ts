import type { ExpressionScope } from '@waymark/core';
import { LiquidExpressionHandler } from '@waymark/expressions';
import { runTimed } from '../measure/timed-loops.js';
import { argument, serveParent } from '../processes/serve-parent.js';
import { TEMPLATES, VARIABLES } from '../workflows/template.js';

/** A Liquid template as an activity input has it: parsed once, all limits on. */
const { template } = argument<{ template: keyof typeof TEMPLATES }>();
const { source, text, batch } = TEMPLATES[template];
const evaluate = new LiquidExpressionHandler().compile({ type: 'Liquid', value: source });

const scope = {
  facts: {
    workflowInstanceId: 'i',
    workflowDefinitionId: 'd',
    workflowDefinitionVersionId: 'v',
    workflowDefinitionVersion: 1,
  },
  getVariable: (name: string) => VARIABLES[name] ?? null,
  hasVariable: (name: string) => name in VARIABLES,
  variableNames: () => Object.keys(VARIABLES),
  getInput: () => undefined,
  inputNames: () => [],
  activityOutputs: () => [],
} as Partial<ExpressionScope> as ExpressionScope;

function run(): unknown {
  let result: unknown;
  for (let i = 0; i < batch; i++) result = evaluate(scope);
  return result;
}

function after(result: unknown): void {
  if (result !== text) throw new Error(`Not rendered: ${String(result)}`);
}

serveParent({ run: (seconds: number) => runTimed(seconds, { units: batch, run, after }) });
