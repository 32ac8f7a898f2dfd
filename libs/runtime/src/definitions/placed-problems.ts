import type { WorkflowDefinition } from '@waymark/core';
import { descriptorsOf, walkActivities } from '@waymark/core/adapter';
import type { WorkflowEngine } from '../engine/workflow-engine.js';
import type { DefinitionProblem } from '../services/definition-services.js';

/** The same problems, each with the place of its activity in the definition where it names no other. */
export function placed(
  problems: readonly DefinitionProblem[],
  { root }: Pick<WorkflowDefinition, 'root'>,
  { activities }: Pick<WorkflowEngine, 'activities'>,
): DefinitionProblem[] {
  const open = problems.some(({ activityId, path }) => activityId !== undefined && path === undefined);
  if (!open) return [...problems];
  const places = new Map<string, string>();
  walkActivities(root, descriptorsOf(activities), ({ node, path }) => {
    // Ids are unique within a container only. The first one is the likelier.
    if (node.id !== undefined && !places.has(node.id)) places.set(node.id, path);
  });
  return problems.map((problem) => {
    const path = problem.path ?? (problem.activityId === undefined ? undefined : places.get(problem.activityId));
    return path === undefined ? problem : { ...problem, path };
  });
}
