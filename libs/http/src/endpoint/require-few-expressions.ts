import type { ActivityNode, WorkflowGraph } from '@waymark/core';
import { RouteTemplateError } from '../routing/route-template-error.js';
import { parseTemplate } from '../routing/route-template.js';
import { pathOfWritten } from './written-path.js';

/** Instructions of all expressions in the paths of one workflow: compiling them takes up to about 400 ms. */
const MOST_OF_WORKFLOW = 20_000;

/** By node id, so that a graph which is looked at again counts once. */
const instructionsOf = new WeakMap<WorkflowGraph, Map<string, number>>();

/**
 * Refuses a path that has one expression too many for its workflow. Each path is within its own limit, but a workflow may have a
 * thousand, and each node compiles all of them.
 * @throws RouteTemplateError
 */
export function requireFewExpressions(graph: WorkflowGraph, { nodeId }: ActivityNode, path: string): void {
  const { instructions } = parseTemplate(pathOfWritten(path));
  if (instructions === 0) return;
  const all = instructionsOf.get(graph) ?? new Map<string, number>();
  instructionsOf.set(graph, all.set(nodeId, instructions));
  const sum = [...all.values()].reduce((total, size) => total + size, 0);
  if (sum > MOST_OF_WORKFLOW)
    throw new RouteTemplateError(
      path,
      `the regular expressions in the paths of its workflow have more than ${MOST_OF_WORKFLOW} instructions together`,
    );
}
