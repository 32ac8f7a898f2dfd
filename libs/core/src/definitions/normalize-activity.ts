import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import { findDescriptor, FLOWCHART_TYPE, isWorkflowType, NOT_FOUND_TYPE, SEQUENCE_TYPE } from './activity-types.js';
import { assignIds } from './assign-ids.js';
import { Reading, type DefinitionContext } from './definition-context.js';
import { readConnections } from './flowchart-json.js';
import { requireObject, type JsonObject } from './json-members.js';
import { readEnvelope, readType } from './node-envelope.js';
import { readMembers } from './node-members.js';
import { hideUnknown, readPlaceholder, restoreOriginal } from './not-found-activity.js';
import type { ChildReading } from './special-members.js';
import type { ActivityJson } from './workflow-definition.js';
import { readWorkflowNode } from './workflow-node.js';

/**
 * Brings an activity and everything inside it into canonical form: every declared member is present, inputs are wrapped, ids
 * and node ids are complete, and activities of unknown types are replaced by placeholders, which are replaced by the activities
 * again once their types are known. Canonical JSON stays unchanged. A missing activity becomes an empty Sequence.
 * @param path JSON path of the activity, for errors
 * @throws DefinitionFormatError
 */
export function normalizeActivity(
  json: unknown,
  ctx: DefinitionContext,
  path = 'root',
  run = new Reading(ctx),
): ActivityJson {
  const root = readActivities(json, path, run);
  assignIds(root, ctx, path);
  return root;
}

/** The same but for the ids, which `assignIds` completes: of ten thousand activities, either takes a tenth of a second. */
export function readActivities(json: unknown, path: string, run: Reading): ActivityJson {
  return readNode(requireObject(json ?? { type: SEQUENCE_TYPE }, path), path, run);
}

function readNode(json: JsonObject, at: string, run: Reading): ActivityJson {
  run.countActivity();
  const type = readType(json, at);
  const child: ChildReading = (inner, path) =>
    inner === null || inner === undefined ? null : readNode(requireObject(inner, path), path, run);
  if (type === NOT_FOUND_TYPE) {
    const original = restoreOriginal(json, run.ctx.registry);
    return original ? readNode(original, at, run) : readPlaceholder(json, at);
  }
  const descriptor = findDescriptor(json, run.ctx.registry);
  if (!descriptor) return hideUnknown(json, type, at);
  if (isWorkflowType(descriptor)) return readWorkflowNode(json, descriptor, at, run);
  return descriptor.typeName === FLOWCHART_TYPE
    ? readFlowchart(json, descriptor, at, child, run)
    : readOrdinary(json, descriptor, at, child, run);
}

function readOrdinary(
  json: JsonObject,
  descriptor: ActivityDescriptor,
  at: string,
  child: ChildReading,
  run: Reading,
): ActivityJson {
  const members = readMembers(json, descriptor, at, child, run);
  // Not by a new object: to copy members one does not know takes longer than all else here.
  return Object.assign(membersOf(members), readEnvelope(json, descriptor, at));
}

function readFlowchart(
  json: JsonObject,
  descriptor: ActivityDescriptor,
  at: string,
  child: ChildReading,
  run: Reading,
): ActivityJson {
  const members = readMembers(json, descriptor, at, child, run);
  const { activities, variables, ...others } = membersOf(members);
  const { id, nodeId, name, ...envelope } = readEnvelope(json, descriptor, at);
  const children = (activities ?? []) as ActivityJson[];
  const connections = readConnections(json, envelope, children, at, run);
  const title = name === null ? {} : { name };
  return {
    ...others,
    id,
    nodeId,
    ...title,
    ...envelope,
    activities: children,
    variables: variables ?? [],
    connections,
  };
}

const membersOf = (members: Map<string, unknown>): Record<string, unknown> => Object.fromEntries(members);
