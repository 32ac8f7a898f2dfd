import { camelCase, pascalCase, titleWords } from '../values/names.js';
import type { ActivityDescriptor, InputDescriptor, OutputDescriptor, PortDescriptor } from './activity-descriptor.js';
import { metadataChain } from './activity-metadata.js';
import type { ActivityOptions, Constructor, InputOptions, OutputOptions } from './decorators.js';

type MetadataReflection = { getMetadata?(key: string, target: object, property: string): unknown };

/** Reads the decorators of an activity class. @throws TypeError when the class is no activity */
export function describeActivity(activityClass: Constructor): ActivityDescriptor {
  const chain = metadataChain(activityClass);
  const options = chain.at(-1)?.activity;
  if (!options || !Object.hasOwn(activityClass, Symbol.for('@waymark/core:activity')))
    throw new TypeError(`Class ${activityClass.name} is no activity: decorate it with @Activity() or @Trigger().`);
  const namespace = options.type?.includes('.')
    ? options.type.slice(0, options.type.lastIndexOf('.'))
    : (options.namespace ?? 'App');
  const typeName = options.type ?? `${namespace}.${activityClass.name}`;
  const name = typeName.slice(typeName.lastIndexOf('.') + 1);

  const inputs = new Map<string, InputDescriptor>();
  const outputs = new Map<string, OutputDescriptor>();
  const ports = new Map<string, PortDescriptor>();
  const childLists = new Set<string>();
  for (const level of chain) {
    for (const [key, o] of level.inputs) inputs.set(key, describeInput(activityClass, key, o));
    for (const [key, o] of level.outputs) outputs.set(key, describeOutput(activityClass, key, o));
    for (const [key, o] of level.ports) {
      const port = o.name ?? pascalCase(key);
      ports.set(port, {
        name: port,
        propertyName: key,
        displayName: o.displayName ?? titleWords(port),
        type: 'Embedded',
        isBrowsable: o.isBrowsable ?? true,
      });
    }
    for (const key of level.childLists) childLists.add(key);
  }
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
    inputs: [...inputs.values()],
    outputs: [...outputs.values()],
    ports: [...ports.values()],
    childLists: [...childLists],
    customProperties: options.customProperties ?? {},
    constructionProperties: {},
    ...flags(options),
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
  return 'Object';
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
