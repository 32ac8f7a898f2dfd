import type { WorkflowDefinition } from '../../definitions/workflow-definition.js';
import { workflow } from '../../execution/testing/build-definition.js';
import { runWorkflow, type TestOptions } from '../../execution/testing/run-workflow.js';
import type { BurstRequest } from '../../execution/burst-request.js';
import type { ActivityBuilder } from '../activity-builder.js';
import { replaceFunctions } from '../function-reference.js';
import { WorkflowDefinitionBuilder } from '../workflow-definition-builder.js';

type Draw = (w: WorkflowDefinitionBuilder) => unknown;

/** What a builder function declares; one that gives an activity has it as the root. */
export function build(draw: Draw, definitionId = 'test') {
  const w = new WorkflowDefinitionBuilder(definitionId);
  const root = draw(w);
  if (typeof root === 'object' && root !== null && 'members' in root) w.root(root as ActivityBuilder);
  return w.build();
}

/** The definition as it is compiled: stored as text, and then with its functions. */
export function load(draw: Draw, definitionId?: string): WorkflowDefinition {
  const { definition, functions } = build(draw, definitionId);
  const { root, ...stored } = JSON.parse(JSON.stringify(definition)) as typeof definition;
  return workflow(
    replaceFunctions(root, (key) => functions.get(key)),
    stored,
  );
}

export const run = (draw: Draw, options?: TestOptions & { request?: Partial<BurstRequest> }) =>
  runWorkflow(load(draw), options);

/** Code and place of the error that building gives. */
export function failure(draw: Draw): { code: string; at: string; message: string } {
  try {
    build(draw);
  } catch (error) {
    return error as { code: string; at: string; message: string };
  }
  throw new Error('nothing was thrown');
}
