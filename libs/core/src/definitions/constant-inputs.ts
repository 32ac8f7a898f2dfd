import { isPlainObject, prop } from '../values/plain-object.js';
import type { DefinitionContext } from './definition-context.js';
import { memberName } from './node-members.js';
import { descriptorsOf, walkActivities } from './walk-activities.js';
import type { ActivityJson, WorkflowDefinition } from './workflow-definition.js';

/** An activity of a definition, with those of its inputs whose value is known before it runs. */
export interface ConstantInputs {
  /** Id in the definition; undefined if it has none yet. */
  readonly activityId: string | undefined;
  /** Type name, such as `Elsa.Delay`. */
  readonly type: string;
  /** JSON path, such as `root.activities[0]`. */
  readonly path: string;
  /** If true, it can start the workflow. */
  readonly canStartWorkflow: boolean;
  /** By member, such as `timeSpan`: the constant as it is written, null where there is none or it is blank. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** Lists the activities of these types with their constant inputs, at most `limit` of them. */
export function constantInputs(
  { root }: Pick<WorkflowDefinition, 'root'>,
  { registry }: Pick<DefinitionContext, 'registry'>,
  types: ReadonlySet<string>,
  limit: number,
): ConstantInputs[] {
  const found: ConstantInputs[] = [];
  walkActivities(root, descriptorsOf(registry), ({ node, path, descriptor }) => {
    if (found.length >= limit || !descriptor || !types.has(descriptor.typeName)) return;
    const values = new Map<string, unknown>();
    for (const input of descriptor.inputs) {
      const value = constantOf(node, memberName(input), input.defaultValue);
      if (value !== undefined) values.set(memberName(input), value);
    }
    const canStartWorkflow = prop(node.customProperties, 'canStartWorkflow') === true;
    found.push({ activityId: node.id, type: descriptor.typeName, path, canStartWorkflow, values });
  });
  return found;
}

/** Undefined for a value that is computed when the activity runs. */
function constantOf(node: ActivityJson, member: string, defaultValue: unknown): unknown {
  const json = node[member];
  if (json === undefined || json === null) return defaultValue ?? null;
  if (!isPlainObject(json)) return Array.isArray(json) ? undefined : known(json);
  const expression = prop(json, 'expression');
  return isPlainObject(expression) && expression.type === 'Literal' ? known(expression.value) : undefined;
}

const known = (value: unknown): unknown =>
  value === undefined || (typeof value === 'string' && value.trim() === '') ? null : value;
