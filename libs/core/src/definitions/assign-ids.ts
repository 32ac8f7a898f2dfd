import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import { isPlainObject } from '../values/plain-object.js';
import type { DefinitionContext } from './definition-context.js';
import { DefinitionFormatError } from './definition-format-error.js';
import { DefinitionTooLargeError } from './definition-too-large-error.js';
import { memberName } from './node-members.js';
import { shapeOf } from './node-shapes.js';
import { countWorkflows } from './workflow-references.js';
import { descriptorsOf, walkActivities, type ActivityVisit } from './walk-activities.js';
import type { ActivityJson } from './workflow-definition.js';

/**
 * Characters that the node ids of a definition may have together: a thousand for each of ten thousand activities. An id of a few
 * kilobytes is part of the node id of everything in its activity, and so may fill the memory of the process.
 */
export const MOST_NODE_ID_CHARACTERS = 10_000_000;

/**
 * Completes a freshly read tree in place: missing ids (`WriteLine1`), node ids (`Workflow1:Flowchart1:WriteLine1`) and
 * the memories of inputs and outputs that have one of their own.
 * @throws DefinitionFormatError (WM1002) when two activities of one parent share an id, as their node ids would be equal; DefinitionTooLargeError
 */
export function assignIds(root: ActivityJson, ctx: DefinitionContext, path: string): void {
  const visits: ActivityVisit[] = [];
  walkActivities(root, descriptorsOf(ctx.registry), (visit) => visits.push(visit), path);
  const used = new Set(visits.map(({ node }) => node.id ?? ''));
  const counters = new Map<string, number>();
  const workflowId = `Workflow${1 + countWorkflows(root, ctx)}`;
  const siblings = new Map<ActivityJson, Set<string>>();
  let characters = 0;
  for (const { node, parent, path: at, descriptor } of visits) {
    node.id ||= nextId(node, used, counters);
    node.nodeId = `${parent?.nodeId ?? workflowId}:${node.id}`;
    characters += node.nodeId.length;
    if (characters > MOST_NODE_ID_CHARACTERS)
      throw new DefinitionTooLargeError(MOST_NODE_ID_CHARACTERS, 'characters of node ids');
    if (parent) claim(node.id, parent, siblings, at);
    if (descriptor) assignMemories(node, node.id, descriptor);
  }
}

/** The lowest number that is free, counted for each short type name. */
function nextId(node: ActivityJson, used: Set<string>, counters: Map<string, number>): string {
  const type = typeof node.missingTypeName === 'string' ? node.missingTypeName : node.type;
  const short = type.slice(type.lastIndexOf('.') + 1).replace(/[^\p{L}\p{N}_-]/gu, '') || 'Activity';
  let id: string;
  do {
    const number = (counters.get(short) ?? 0) + 1;
    counters.set(short, number);
    id = `${short}${number}`;
  } while (used.has(id));
  used.add(id);
  return id;
}

function claim(id: string, parent: ActivityJson, siblings: Map<ActivityJson, Set<string>>, at: string): void {
  const ids = siblings.get(parent) ?? new Set<string>();
  if (ids.has(id))
    throw new DefinitionFormatError(
      `${at}.id`,
      `Two activities of '${parent.id}' have the id '${id}'. Give one of them another id.`,
      {
        code: 'WM1002',
        activityId: id,
      },
    );
  siblings.set(parent, ids.add(id));
}

function assignMemories(node: ActivityJson, id: string, descriptor: ActivityDescriptor): void {
  for (const input of descriptor.inputs) {
    const value = node[memberName(input)];
    if (input.isSynthetic && isPlainObject(value))
      value.memoryReference ??= { id: `${id}:input-${kebabCase(input.name)}` };
  }
  for (const name of shapeOf(descriptor.typeName).ownOutputs ?? []) {
    const value = node[name] as { memoryReference: { id: string } } | null | undefined;
    if (value) value.memoryReference.id ||= `${id}:output-${kebabCase(name)}`;
  }
}

const kebabCase = (name: string): string =>
  name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
