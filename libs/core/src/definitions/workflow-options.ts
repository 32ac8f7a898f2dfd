import { activationStrategyName, incidentStrategyAlias } from './class-names.js';
import { flagMember, nameMember, objectMember, textMember, type JsonObject } from './json-members.js';
import type { WorkflowOptions } from './workflow-definition.js';

/** Options of a definition; `usableAsActivity` stood at the top level in older files. */
export function readOptions(model: JsonObject, path: string): WorkflowOptions {
  const json = objectMember(model, 'options', path) ?? {};
  const at = path === '' ? 'options' : `${path}.options`;
  const incidentStrategy = nameMember(json, 'incidentStrategyType', at);
  const options: WorkflowOptions = {
    activationStrategyType: nameMember(json, 'activationStrategyType', at),
    usableAsActivity: flagMember(json, 'usableAsActivity', at) ?? flagMember(model, 'usableAsActivity', path),
    autoUpdateConsumingWorkflows: flagMember(json, 'autoUpdateConsumingWorkflows', at) ?? false,
    activityCategory: textMember(json, 'activityCategory', at),
    incidentStrategyType: incidentStrategy === undefined ? undefined : incidentStrategyAlias(incidentStrategy),
    commitStrategyName: nameMember(json, 'commitStrategyName', at),
    strictConversions: flagMember(json, 'strictConversions', at),
  };
  return withoutNulls(options);
}

/** In the order in which the reference writes them. */
export function writeOptions(options: WorkflowOptions): JsonObject {
  const { activationStrategyType, usableAsActivity, activityCategory, incidentStrategyType, commitStrategyName } =
    options;
  return withoutNulls({
    activationStrategyType: activationStrategyType ? activationStrategyName(activationStrategyType) : undefined,
    usableAsActivity,
    autoUpdateConsumingWorkflows: options.autoUpdateConsumingWorkflows ?? false,
    activityCategory,
    incidentStrategyType,
    commitStrategyName,
    strictConversions: options.strictConversions,
  }) as JsonObject;
}

function withoutNulls<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null)) as T;
}
