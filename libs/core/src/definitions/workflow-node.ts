import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import type { ActivityRegistry } from '../activities/activity-registry.js';
import { prop } from '../values/plain-object.js';
import { textOf } from './activity-types.js';
import type { Reading } from './definition-context.js';
import { join, type JsonObject } from './json-members.js';
import { readEnvelope } from './node-envelope.js';
import { memberName } from './node-members.js';
import { readInput, readOutput } from './wrapped-values.js';
import type { ActivityJson } from './workflow-definition.js';

/**
 * A workflow used as an activity. Which version it is gets written out in full, however the node named it: a document
 * keeps its meaning when newer versions appear.
 */
export function readWorkflowNode(
  json: JsonObject,
  descriptor: ActivityDescriptor,
  at: string,
  run: Reading,
): ActivityJson {
  const { WorkflowDefinitionId: definitionId, WorkflowDefinitionVersionId: versionId } =
    descriptor.constructionProperties;
  const latest = latestPublished(textOf(definitionId), run.ctx.registry);
  const node: ActivityJson = {
    workflowDefinitionId: definitionId ?? null,
    workflowDefinitionVersionId: versionId ?? null,
    latestAvailablePublishedVersion: latest?.version ?? 0,
    latestAvailablePublishedVersionId: latest?.constructionProperties.WorkflowDefinitionVersionId ?? null,
    ...readEnvelope(json, descriptor, at),
  };
  for (const input of descriptor.inputs) {
    const name = memberName(input);
    // The prefix that keeps names apart (`_Name`) is up to the descriptor; what identifies the node is never overwritten.
    if (Object.hasOwn(node, name)) continue;
    node[name] = readInput(prop(json, name), input, join(at, name), run);
  }
  for (const output of descriptor.outputs) {
    const name = memberName(output);
    if (Object.hasOwn(node, name)) continue;
    node[name] = readOutput(prop(json, name), output, join(at, name), run);
  }
  return node;
}

/** Published versions are the browsable ones. */
function latestPublished(definitionId: string | undefined, registry: ActivityRegistry): ActivityDescriptor | undefined {
  if (definitionId === undefined) return undefined;
  return registry.listWorkflow(definitionId).find(({ descriptor }) => descriptor.isBrowsable)?.descriptor;
}
