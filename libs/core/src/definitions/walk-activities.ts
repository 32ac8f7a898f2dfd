import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import type { ActivityRegistry } from '../activities/activity-registry.js';
import { pascalCase } from '../values/names.js';
import { isPlainObject } from '../values/plain-object.js';
import { findDescriptor } from './activity-types.js';
import { shapeOf } from './node-shapes.js';
import type { ChildSlot } from './special-members.js';
import type { ActivityJson } from './workflow-definition.js';

export interface ActivityVisit {
  readonly node: ActivityJson;
  /** JSON path, e.g. `root.activities[0].then`. */
  readonly path: string;
  readonly parent: ActivityJson | undefined;
  /** Place of the node in its parent: name of the port or list, or label of the case; `Root` for the root. */
  readonly port: string;
  readonly descriptor: ActivityDescriptor | undefined;
}

/**
 * Visits an activity and all inside it, parents first. Workflows used as activities and placeholders of unknown types
 * are leaves.
 * @param visit called for each activity; if it returns false, the activities inside are skipped
 */
export function walkActivities(
  root: ActivityJson,
  descriptorOf: (node: ActivityJson) => ActivityDescriptor | undefined,
  visit: (activity: ActivityVisit) => unknown,
  path = 'root',
): void {
  const step = (node: ActivityJson, at: string, parent: ActivityJson | undefined, port: string): void => {
    const descriptor = descriptorOf(node);
    if (visit({ node, path: at, parent, port, descriptor }) === false || !descriptor) return;
    for (const slot of childSlots(node, descriptor)) step(slot.child, `${at}.${slot.path}`, node, slot.port);
  };
  step(root, path, undefined, 'Root');
}

/** Finds descriptors for `walkActivities`. */
export const descriptorsOf =
  (registry: ActivityRegistry) =>
  (node: ActivityJson): ActivityDescriptor | undefined =>
    findDescriptor(node, registry);

/** The activities directly inside a node. */
export function childSlots(node: ActivityJson, descriptor: ActivityDescriptor): ChildSlot[] {
  const slots: ChildSlot[] = [];
  for (const [name, special] of Object.entries(shapeOf(descriptor.typeName).special ?? {}))
    slots.push(...(special.children?.(node[name], name) ?? []));
  for (const { name, type, propertyName } of descriptor.ports) {
    const child = type === 'Embedded' && propertyName ? node[propertyName] : undefined;
    if (isActivity(child)) slots.push({ port: name, path: propertyName!, child });
  }
  for (const list of descriptor.childLists) {
    const children = node[list];
    if (Array.isArray(children))
      for (const [i, child] of children.entries())
        if (isActivity(child)) slots.push({ port: pascalCase(list), path: `${list}[${i}]`, child });
  }
  return slots;
}

/** Counts the items in the lists of a node that are not activities themselves: states, transitions, cases. */
export function countItems(node: ActivityJson, descriptor: ActivityDescriptor): number {
  let count = 0;
  for (const name of Object.keys(shapeOf(descriptor.typeName).special ?? {})) {
    const list = node[name];
    if (Array.isArray(list)) count += list.length;
  }
  return count;
}

const isActivity = (value: unknown): value is ActivityJson => isPlainObject(value) && typeof value.type === 'string';
