import { isPlainObject } from '../values/plain-object.js';
import { NOT_FOUND_TYPE, textOf } from './activity-types.js';
import type { DefinitionContext } from './definition-context.js';
import type { JsonObject } from './json-members.js';
import { originalOf } from './not-found-activity.js';
import type { ActivityJson, WorkflowDefinition } from './workflow-definition.js';

/** A node that stands for a version of another workflow. */
export interface WorkflowNodeReference {
  readonly activityId: string | undefined;
  readonly definitionId: string | undefined;
  readonly definitionVersionId: string | undefined;
  readonly version: number | undefined;
}

/** The new target of a reference. */
export interface WorkflowTarget {
  readonly definitionVersionId: string;
  readonly version: number;
  /** Type name of that version, when the workflow was renamed. */
  readonly type?: string;
}

/**
 * Finds all workflows that a tree uses as activities. Placeholders count, since their workflow may only be missing at present.
 */
export function findReferences(root: ActivityJson): WorkflowNodeReference[] {
  return workflowNodes(root).map(([, reference]) => reference);
}

/** The same with the activities themselves. */
export function workflowNodes(root: ActivityJson): (readonly [node: JsonObject, reference: WorkflowNodeReference])[] {
  const found: (readonly [JsonObject, WorkflowNodeReference])[] = [];
  const visit = (node: JsonObject): void => {
    const original = node.type === NOT_FOUND_TYPE ? originalOf(node) : undefined;
    if (original) return scan(original, visit);
    const reference = referenceOf(node);
    if (reference) found.push([node, reference]);
  };
  scan(root, visit);
  return found;
}

/**
 * Returns a copy in which references have other targets.
 * @param targetOf returns the new target of a reference, or undefined to keep it
 */
export function replaceReferences(
  root: ActivityJson,
  targetOf: (reference: WorkflowNodeReference) => WorkflowTarget | undefined,
): ActivityJson {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (!isPlainObject(value)) return value;
    const reference = referenceOf(value);
    const target = reference && targetOf(reference);
    const members = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, isOpaque(name) ? member : copy(member)]),
    );
    if (!target) return members;
    const { definitionVersionId, version, type = value.type } = target;
    return { ...members, type, version, workflowDefinitionVersionId: definitionVersionId };
  };
  return copy(root) as ActivityJson;
}

/**
 * Number of workflows inside a tree. The node id of the outermost one counts them: `Workflow2` holds `Workflow1`. Those
 * that cannot be resolved have nothing inside that could be run, and the compiler does not count them either.
 * A workflow that contains itself is counted once; compiling it reports the circle.
 */
export function countWorkflows(root: ActivityJson, ctx: Pick<DefinitionContext, 'resolveWorkflow'>): number {
  /** Inside of each version, by its id: those that use the same ones need not look into them again, level by level. */
  const known = new Map<string, number>();
  const countIn = (value: ActivityJson): number => {
    let count = 0;
    scan(value, (node) => {
      const reference = referenceOf(node);
      if (!reference) return;
      const { definitionId, definitionVersionId, version } = reference;
      if (!ctx.resolveWorkflow) return void count++;
      const inner = ctx.resolveWorkflow({ definitionId, definitionVersionId, version });
      if (inner) count += 1 + (known.get(inner.id) ?? countOnce(inner));
    });
    return count;
  };
  const countOnce = ({ id, root: inner }: WorkflowDefinition): number => {
    known.set(id, 0);
    const count = countIn(inner);
    known.set(id, count);
    return count;
  };
  return countIn(root);
}

/** Data of users, which may look like anything. */
const isOpaque = (name: string): boolean => name === 'customProperties' || name === 'metadata' || name === 'expression';

function scan(value: unknown, visit: (node: JsonObject) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return value.forEach((item) => scan(item, visit));
  if (!isPlainObject(value)) return;
  if (typeof value.type === 'string') visit(value);
  for (const name in value) {
    const member = value[name];
    // Most are texts and the like: a definition may have a hundred thousand.
    if (typeof member === 'object' && member !== null && !isOpaque(name)) scan(member, visit);
  }
}

function referenceOf(node: JsonObject): WorkflowNodeReference | undefined {
  const definitionId = textOf(node.workflowDefinitionId);
  const definitionVersionId = textOf(node.workflowDefinitionVersionId);
  if (typeof node.type !== 'string' || (definitionId === undefined && definitionVersionId === undefined))
    return undefined;
  const version = typeof node.version === 'number' ? node.version : undefined;
  return { activityId: textOf(node.id), definitionId, definitionVersionId, version };
}
