import { syntheticName } from '../activities/synthetic-name.js';
import { isPlainObject, prop } from '../values/plain-object.js';
import type { ActivityJson, WorkflowDefinition } from './workflow-definition.js';
import { workflowNodes, type WorkflowNodeReference } from './workflow-references.js';

type Declared = Pick<WorkflowDefinition, 'inputs' | 'outputs'>;

/** What an activity binds to an input or an output that the workflow it stands for no longer has. */
export interface LostBinding {
  /** Id of the activity in its definition. */
  readonly activityId: string | undefined;
  /** Type name of the activity. */
  readonly type: string;
  /** What it is bound to. */
  readonly kind: 'input' | 'output';
  /** Member of the activity. */
  readonly name: string;
}

/** Whether a member of an activity is the value of an input, or where an output goes. */
export const isBound = (value: unknown): boolean =>
  isPlainObject(value) && (isPlainObject(prop(value, 'expression')) || isPlainObject(prop(value, 'memoryReference')));

/**
 * Finds bindings that get lost when activities stand for another version of their workflow. What the version before did not have either
 * is not lost by that.
 * @param change the version before and the one after; undefined for activities that stay as they are
 */
export function lostBindings(
  root: ActivityJson,
  change: (reference: WorkflowNodeReference) => { readonly before: Declared; readonly after: Declared } | undefined,
): LostBinding[] {
  return workflowNodes(root).flatMap(([node, reference]) => {
    const versions = change(reference);
    if (!versions) return [];
    const [before, after] = [declaredIn(versions.before), declaredIn(versions.after)];
    return Object.entries(node).flatMap(([name, value]): LostBinding[] => {
      const kind = before.get(name.toLowerCase());
      if (kind === undefined || after.has(name.toLowerCase()) || !isBound(value)) return [];
      return [{ activityId: reference.activityId, type: String(node.type), kind, name }];
    });
  });
}

/** Members in lower case: definitions are read in any casing. */
function declaredIn({ inputs, outputs }: Declared): Map<string, LostBinding['kind']> {
  const members = new Map<string, LostBinding['kind']>(outputs.map(({ name }) => [name.toLowerCase(), 'output']));
  for (const { name } of inputs) members.set(syntheticName(name).toLowerCase(), 'input');
  return members;
}
