import type { DefinitionStanding } from '@waymark/runtime/adapter';
import type { FaultPlaces } from './fault-places.js';

/** Waiting and faulted instances at one node of a definition. */
export interface NodeHeat {
  /** Absent: the node is not known. */
  readonly activityNodeId?: string;
  readonly waiting: number;
  readonly waitingSince?: Date;
  readonly faulted: number;
  readonly newestFaultAt?: Date;
}

export interface VersionHeat {
  readonly definitionVersionId: string;
  readonly version: number;
  readonly running: number;
  readonly faulted: number;
  readonly nodes: readonly NodeHeat[];
}

/** Merges waiting and faulted instances by version, the newest first, and node. */
export function heatOf(waiting: DefinitionStanding, failed: FaultPlaces): VersionHeat[] {
  const versions = new Map<
    string,
    { version: number; running: number; faulted: number; nodes: Map<string, NodeHeat> }
  >();
  const versionOf = (id: string, version: number) => {
    const known = versions.get(id) ?? { version, running: 0, faulted: 0, nodes: new Map<string, NodeHeat>() };
    versions.set(id, known);
    return known;
  };
  for (const { definitionVersionId, version, running } of waiting.versions)
    versionOf(definitionVersionId, version).running = running;
  for (const [id, { version, faulted }] of failed.versions) versionOf(id, version).faulted = faulted;
  const change = (versionId: string, activityNodeId: string | undefined, more: Partial<NodeHeat>) => {
    const nodes = versions.get(versionId)?.nodes;
    const key = activityNodeId ?? '';
    const place = activityNodeId === undefined ? {} : { activityNodeId };
    nodes?.set(key, { ...place, waiting: 0, faulted: 0, ...nodes.get(key), ...more });
  };
  for (const { definitionVersionId, activityNodeId, instances, since } of waiting.nodes)
    change(definitionVersionId, activityNodeId, { waiting: instances, waitingSince: since });
  for (const { definitionVersionId, activityNodeId, instances, newestAt } of failed.places)
    change(definitionVersionId, activityNodeId, { faulted: instances, newestFaultAt: newestAt });
  return [...versions]
    .map(([definitionVersionId, { nodes, ...counts }]) => ({
      definitionVersionId,
      ...counts,
      nodes: [...nodes.values()],
    }))
    .sort((left, right) => right.version - left.version);
}
