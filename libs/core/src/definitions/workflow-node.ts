import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import type { ActivityRegistry } from '../activities/activity-registry.js';
import { isPlainObject, prop, setMember } from '../values/plain-object.js';
import { textOf } from './activity-types.js';
import type { Reading } from './definition-context.js';
import { join, type JsonObject } from './json-members.js';
import { readEnvelope } from './node-envelope.js';
import { memberName } from './node-members.js';
import { readInput, readOutput } from './wrapped-values.js';
import type { ActivityJson } from './workflow-definition.js';
import { isBound } from './workflow-bindings.js';

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
  const outputs = new Map(descriptor.outputs.map((output) => [memberName(output), output]));
  for (const input of descriptor.inputs) {
    const name = memberName(input);
    // The prefix that keeps names apart (`_Name`) is up to the descriptor; what identifies the node is never overwritten.
    if (Object.hasOwn(node, name)) continue;
    const given = prop(json, name);
    const output = outputs.get(name);
    if (output && isBinding(given)) continue;
    node[name] = readInput(given, input, join(at, name), run);
    if (output && node[name] !== null)
      run.warn(
        join(at, name),
        `'${name}' is both an input and an output of this workflow. It is read as the input, so the output is not bound. Rename one of them.`,
      );
  }
  for (const [name, output] of outputs) {
    if (Object.hasOwn(node, name)) continue;
    node[name] = readOutput(prop(json, name), output, join(at, name), run);
  }
  return withUndeclared(node, json);
}

/**
 * Bindings of inputs and outputs that the version does not declare are kept: `memberWarnings` names them, and a version that has
 * them, such as the one before a rename, finds them again.
 */
function withUndeclared(node: ActivityJson, json: JsonObject): ActivityJson {
  let taken: Set<string> | undefined;
  for (const [name, value] of Object.entries(json)) {
    if (!isBound(value)) continue;
    taken ??= new Set(Object.keys(node).map((each) => each.toLowerCase()));
    if (!taken.has(name.toLowerCase())) setMember(node, name, value);
  }
  return node;
}

/** Variables are bound without an expression: what has one is an input. */
function isBinding(value: unknown): boolean {
  return isPlainObject(prop(value, 'memoryReference')) && !isPlainObject(prop(value, 'expression'));
}

/** Published versions are the browsable ones. */
function latestPublished(definitionId: string | undefined, registry: ActivityRegistry): ActivityDescriptor | undefined {
  if (definitionId === undefined) return undefined;
  return registry.listWorkflow(definitionId).find(({ descriptor }) => descriptor.isBrowsable)?.descriptor;
}
