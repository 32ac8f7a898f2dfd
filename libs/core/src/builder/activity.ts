import type { Constructor } from '../activities/decorators.js';
import { syntheticName } from '../activities/synthetic-name.js';
import { camelCase, pascalCase, pascalize } from '../values/names.js';
import type { TriggerBase } from '../execution/activity-base.js';
import { type ActivityArguments, ActivityBuilder } from './activity-builder.js';
import { bindOutputs, buildFromClass, buildFromName, defined, type UntypedSettings } from './build-activity.js';
import { inputPart } from './parts.js';
import type { Value } from './value.js';

/** Members of an activity that is given by its type name; they are checked when the workflow is stored. */
export type UntypedMembers = Readonly<Record<string, Value<unknown>>>;

// By class in the last place: of several signatures the compiler reports what does not fit the last one.
/**
 * Adds an activity by its type name: `activity('Elsa.Delay', { timeSpan: '01:00:00' })`. Members are checked when the workflow
 * is stored.
 * @param type such as `Elsa.Delay`
 * @param members values of its inputs, ports and lists of children
 * @param settings `id`, `name`, `outputs` …
 */
export function activity(type: string, members?: UntypedMembers, settings?: UntypedSettings): ActivityBuilder;
/**
 * Adds an activity by its class: `activity(ManagerApproval, { requestId: request }, { outputs: { decidedBy: manager } })`. Its
 * ports and lists of children take activities.
 * @param activityClass decorated with `@Activity()` or `@Trigger()`, and among the providers of the application
 * @param args values of its inputs, each a constant, a variable or a function of the scope; and its settings: `id`, `name`,
 *   `outputs` …
 * @throws WorkflowBuildError `WM1206` a class without decorator, or a member that it does not declare
 * @example
 * const manager = w.variable<string>('manager', { type: 'String' });
 * activity(ManagerApproval, { requestId: (scope) => request.get(scope).id }, { id: 'ask', outputs: { decidedBy: manager } })
 */
export function activity<A extends object>(
  activityClass: Constructor<A>,
  ...args: ActivityArguments<A>
): ActivityBuilder;
export function activity(
  type: Constructor | string,
  members: UntypedMembers | null = {},
  settings: UntypedSettings | null = {},
): ActivityBuilder {
  const given = members ?? {};
  return typeof type === 'string' ? buildFromName(type, given, settings) : buildFromClass(type, given, settings);
}

/**
 * Adds a trigger by its type name: `trigger('Elsa.Cron', { cronExpression: '30 2 * * *' })`. Members are checked when the
 * workflow is stored.
 * @param type such as `Elsa.Cron` @param members values of its inputs @param settings `id`, `name`, `outputs` …
 */
export function trigger(type: string, members?: UntypedMembers, settings?: UntypedSettings): ActivityBuilder;
/**
 * Adds an activity that also starts the workflow: `trigger(HttpEndpoint, { path: 'orders' })`.
 * @param activityClass decorated with `@Trigger()`, and among the providers of the application
 * @param args values of its inputs, which cannot depend on the instance, since it does not exist yet; and its settings
 * @throws WorkflowBuildError `WM1206` a class without decorator, or a member that it does not declare
 * @example
 * trigger(HttpEndpoint, { path: 'orders', supportedMethods: ['POST'] }, { id: 'received', outputs: { parsedContent: order } })
 * trigger(Cron, { cronExpression: '30 2 * * *', timeZone: 'Europe/Berlin' }, { id: 'nightly' })
 */
export function trigger<A extends TriggerBase>(
  activityClass: Constructor<A>,
  ...args: ActivityArguments<A>
): ActivityBuilder;
export function trigger(
  type: Constructor | string,
  members: UntypedMembers | null = {},
  settings: UntypedSettings | null = {},
): ActivityBuilder {
  const given = members ?? {};
  const starting = { ...settings, canStartWorkflow: true };
  return typeof type === 'string' ? buildFromName(type, given, starting) : buildFromClass(type, given, starting);
}

/**
 * Runs another workflow as an activity, inside the same instance. That workflow must have `usableAsActivity`. `version` of the
 * settings selects the version; by default it is the one that is published when this workflow is stored.
 * @param definitionId of that workflow @param inputs values of its inputs, by their names
 * @example workflowActivity('ship-order', { orderId: (scope) => order.get(scope).id })
 */
export function workflowActivity(
  definitionId: string,
  inputs?: UntypedMembers,
  settings?: UntypedSettings & { readonly version?: number },
): ActivityBuilder {
  // Callers in JavaScript may give null, as to `activity`.
  const { version, ...own } = settings ?? {};
  const members: Record<string, unknown> = { workflowDefinitionId: definitionId };
  for (const [name, value] of defined(inputs)) members[camelCase(pascalCase(syntheticName(name)))] = inputPart(value);
  bindOutputs(definitionId, members, own.outputs, camelCase);
  return new ActivityBuilder(pascalize(definitionId), members, own, { version });
}
