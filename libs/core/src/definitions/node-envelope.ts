import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import { prop, setMember } from '../values/plain-object.js';
import { FLOWCHART_TYPE } from './activity-types.js';
import { DefinitionFormatError } from './definition-format-error.js';
import { flagOf, integerMember, join, nameMember, objectMember, textMember, type JsonObject } from './json-members.js';

/** Members that every activity has, whatever its type; lower case. */
export const ENVELOPE: ReadonlySet<string> = new Set([
  'id',
  'nodeid',
  'name',
  'type',
  'version',
  'customproperties',
  'metadata',
  // Older files have these two beside customProperties.
  'canstartworkflow',
  'runasynchronously',
]);

/** Custom property of flowcharts with the connections that leave activities of unknown type. */
export const SET_ASIDE = 'notFoundConnections';

export interface NodeEnvelope {
  /** Empty: to be assigned when all given ids are known. */
  id: string;
  nodeId: string;
  name: string | null;
  type: string;
  version: number;
  customProperties: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

export function readType(json: JsonObject, at: string): string {
  const type = nameMember(json, 'type', at);
  if (type !== undefined) return type;
  throw new DefinitionFormatError(
    join(at, 'type'),
    `The activity at '${at}' has no type. Add a member 'type', e.g. "Elsa.WriteLine".`,
    // Reported of the activity, as in the reference: the member is not there.
    { key: at },
  );
}

/** The registered type; its `runAsynchronously` holds unless the node says otherwise. */
export type NodeKind = Pick<ActivityDescriptor, 'typeName' | 'version' | 'runAsynchronously'>;

export function readEnvelope(json: JsonObject, kind: NodeKind, at: string): NodeEnvelope {
  // Checked although the registered version is what counts: a wrong shape must not pass unnoticed.
  integerMember(json, 'version', at);
  return {
    id: readId(json, at),
    nodeId: '',
    name: textMember(json, 'name', at) ?? null,
    type: kind.typeName,
    version: kind.version,
    customProperties: readCustomProperties(json, kind, at),
    metadata: { ...objectMember(json, 'metadata', at) },
  };
}

function readId(json: JsonObject, at: string): string {
  const id = nameMember(json, 'id', at) ?? '';
  if (id.includes(':'))
    throw new DefinitionFormatError(
      `${at}.id`,
      `The id '${id}' contains ':', which separates the parts of node ids. Choose another id.`,
      {
        activityId: id,
      },
    );
  return id;
}

function readCustomProperties(json: JsonObject, kind: NodeKind, at: string): Record<string, unknown> {
  const isFlowchart = kind.typeName === FLOWCHART_TYPE;
  const properties: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(objectMember(json, 'customProperties', at) ?? {})) {
    const lower = key.toLowerCase();
    if (lower === 'canstartworkflow') properties.canStartWorkflow = flagOf(value) ?? false;
    else if (lower === 'runasynchronously') properties.runAsynchronously = flagOf(value) ?? false;
    else if (isFlowchart && /^notfoundconnections(key)?$/.test(lower)) properties[SET_ASIDE] = value;
    else setMember(properties, key, value);
  }
  if (isFlowchart) properties[SET_ASIDE] ??= [];
  properties.canStartWorkflow ??= flagOf(prop(json, 'canStartWorkflow')) ?? false;
  properties.runAsynchronously ??= flagOf(prop(json, 'runAsynchronously')) ?? kind.runAsynchronously;
  return properties;
}
