import { camelCase, pascalCase, titleWords } from '../values/names.js';
import { storableTypeOf } from '../values/storable-type.js';
import type { ActivityDescriptor, InputDescriptor, OutputDescriptor, PortDescriptor } from './activity-descriptor.js';
import { ActivityClassError } from './activity-class-error.js';
import { type ActivityMetadata, isActivityClass, metadataChain, metadataOf } from './activity-metadata.js';
import { MemberNameTakenError } from './member-name-taken-error.js';
import { requireOwnMembers } from './require-own-members.js';
import { isTakenName } from './taken-names.js';
import type { ActivityOptions, Constructor, InputOptions, OutputOptions } from './decorators.js';

type MetadataReflection = { getMetadata?(key: string, target: object, property: string): unknown };

/**
 * Returns the type name of an activity class, such as `Elsa.Event`. Faster than `describeActivity`, since it does not describe
 * all members.
 * @throws ActivityClassError (`WM1044`) for a class without decorator
 */
export function activityTypeName(activityClass: Constructor): string {
  return typeNameOf(activityClass, optionsOf(activityClass));
}

/**
 * Reads the decorators of an activity class.
 * @throws ActivityClassError (`WM1044`) for a class without decorator, or whose members could not be told apart, MemberNameTakenError
 * (`WM1030`)
 */
export function describeActivity(activityClass: Constructor): ActivityDescriptor {
  const chain = metadataChain(activityClass);
  const options = optionsOf(activityClass);
  const namespace = namespaceOf(options);
  const typeName = typeNameOf(activityClass, options);
  const name = typeName.slice(typeName.lastIndexOf('.') + 1);

  requireFreeNames(activityClass, chain);
  const inputs = new Map<string, InputDescriptor>();
  const outputs = new Map<string, OutputDescriptor>();
  const embedded = new Map<string, PortDescriptor>();
  const childLists = new Set<string>();
  for (const level of chain) {
    for (const [key, o] of level.inputs) inputs.set(key, describeInput(activityClass, key, o));
    for (const [key, o] of level.outputs) outputs.set(key, describeOutput(activityClass, key, o));
    for (const [key, o] of level.ports) {
      const port = o.name ?? pascalCase(key);
      embedded.set(key, {
        name: port,
        propertyName: key,
        displayName: o.displayName ?? titleWords(port),
        type: 'Embedded',
        isBrowsable: o.isBrowsable ?? true,
      });
    }
    for (const key of level.childLists) childLists.add(key);
  }
  const members = { inputs: [...inputs.values()], outputs: [...outputs.values()], childLists: [...childLists] };
  requireOwnMembers(activityClass, { ...members, ports: [...embedded.values()] });
  const ports = new Map([...embedded.values()].map((port) => [port.name, port]));
  for (const outcome of options.outcomes ?? [])
    ports.set(outcome, { name: outcome, displayName: outcome, type: 'Flow', isBrowsable: true });

  return {
    typeName,
    namespace,
    name,
    version: options.version ?? 1,
    category: options.category ?? namespace,
    displayName: options.displayName ?? titleWords(name),
    description: options.description ?? '',
    kind: options.kind ?? 'Action',
    ...members,
    ports: [...ports.values()],
    customProperties: customProperties(options),
    constructionProperties: {},
    ...flags(options),
  };
}

function requireFreeNames(activityClass: Constructor, chain: readonly ActivityMetadata[]): void {
  for (const { inputs, outputs, ports, childLists } of chain)
    for (const [kind, members] of [
      ['Input', inputs],
      ['Output', outputs],
      ['Port', ports],
      ['Children', new Map([...childLists].map((key) => [key, {} as { name?: string }] as const))],
    ] as const)
      for (const [key, { name = key }] of members)
        if ([key, name].some(isTakenName)) throw new MemberNameTakenError(activityClass.name, kind, key);
}

/** What `@Activity({ retry, timeout })` says stands where definitions may say otherwise. */
function customProperties(options: ActivityOptions): Readonly<Record<string, unknown>> {
  const { retry, timeout, customProperties: given = {} } = options;
  if (retry === undefined && timeout === undefined) return given;
  return {
    ...given,
    ...(retry !== undefined && { retryPolicy: { ...retry } }),
    ...(timeout !== undefined && { timeout }),
  };
}

function flags(options: ActivityOptions) {
  return {
    isContainer: options.isContainer ?? false,
    isBrowsable: options.isBrowsable ?? true,
    isStart: options.isStart ?? false,
    isTerminal: options.isTerminal ?? false,
    runAsynchronously: options.runAsynchronously ?? false,
  };
}

function optionsOf(activityClass: Constructor): ActivityOptions {
  const options = isActivityClass(activityClass) ? metadataOf(activityClass).activity : undefined;
  if (!options)
    throw new ActivityClassError(activityClass.name, 'it lacks a decorator. Add @Activity() or @Trigger().');
  return options;
}

function typeNameOf(activityClass: Constructor, options: ActivityOptions): string {
  return options.type ?? `${namespaceOf(options)}.${activityClass.name}`;
}

function namespaceOf({ type, namespace }: ActivityOptions): string {
  return type?.includes('.') ? type.slice(0, type.lastIndexOf('.')) : (namespace ?? 'App');
}

function describeInput(target: Constructor, key: string, o: InputOptions): InputDescriptor {
  const name = o.name ?? pascalCase(key);
  const typeName = o.type ?? reflectedType(target, key);
  return {
    name,
    propertyName: key,
    typeName,
    displayName: o.displayName ?? titleWords(name),
    description: o.description ?? '',
    order: o.order ?? 0,
    category: o.category,
    uiHint: o.uiHint ?? defaultHint(typeName),
    uiSpecifications: o.uiSpecifications ?? {},
    defaultValue: o.defaultValue,
    defaultSyntax: o.defaultSyntax,
    isWrapped: o.isWrapped ?? true,
    autoEvaluate: o.autoEvaluate ?? true,
    isSensitive: o.isSensitive ?? false,
    isEncrypted: o.isEncrypted ?? false,
    ...(o.isNonNegative && { isNonNegative: true }),
    ...(o.isNonBlank && { isNonBlank: true }),
    ...(o.isStrict && { isStrict: true }),
    ...(o.isOmittedUnset && { isOmittedUnset: true }),
    isReadOnly: o.isReadOnly ?? false,
    isBrowsable: o.isBrowsable ?? true,
    isSerializable: o.isSerializable ?? true,
    isSynthetic: false,
  };
}

function describeOutput(target: Constructor, key: string, o: OutputOptions): OutputDescriptor {
  const name = o.name ?? pascalCase(key);
  return {
    name,
    propertyName: key,
    typeName: o.type ?? reflectedType(target, key),
    displayName: o.displayName ?? titleWords(name),
    description: o.description ?? '',
    order: o.order ?? 0,
    isBrowsable: o.isBrowsable ?? true,
    isSerializable: o.isSerializable ?? true,
    isSynthetic: false,
  };
}

/** The compiler's own record of the property type, when the application emits decorator metadata. */
function reflectedType(target: Constructor, key: string): string {
  const type = (Reflect as MetadataReflection).getMetadata?.('design:type', target.prototype as object, key);
  if (type === String) return 'String';
  if (type === Boolean) return 'Boolean';
  if (type === Number) return 'Double';
  if (type === Date) return 'DateTimeOffset';
  return (typeof type === 'function' && storableTypeOf(type as Constructor)?.name) || 'Object';
}

/** Elsa's rule for inputs without an explicit editor. */
function defaultHint(typeName: string): string {
  if (/^boolean\??$/i.test(typeName)) return 'checkbox';
  if (/\[\]$|^(List|Collection|ICollection|HashSet)</i.test(typeName)) return 'dropdown';
  if (/Dictionary$/i.test(typeName)) return 'dropdown';
  if (/(Mode|StatusCode)$/.test(typeName)) return 'dropdown';
  return 'singleline';
}

/** JSON member (and class property) of an input or output with that PascalCase name. */
export const memberName = (name: string): string => camelCase(name);
