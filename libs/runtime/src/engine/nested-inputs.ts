import { createRequire } from 'node:module';
import { type Constructor, WaymarkError } from '@waymark/core';
import type { plainToInstance } from 'class-transformer';
import type { MetadataStorage } from 'class-validator';

const require = createRequire(import.meta.url);

/**
 * Thrown when a rule requires that the parts of an input are validated, but no class is given, so that everything would pass.
 */
export class NestedInputTypeError extends WaymarkError {
  readonly code = 'WM1034';
  constructor(
    /** Name of the class. */
    readonly className: string,
    /** The property. */
    readonly property: string,
  ) {
    super(
      `'${property}' of class ${className} has @ValidateNested(), but the class of its parts is unknown, so they would not be ` +
        `checked. Add @Type(() => …) of class-transformer to it.`,
    );
  }
}

/** What keeps the rules of class-validator: one global, which every copy of the package shares. */
export const validationRules = (): MetadataStorage | undefined =>
  (globalThis as { classValidatorMetadataStorage?: MetadataStorage }).classValidatorMetadataStorage;

/** The properties of a class whose parts are validated, with the class of those parts. */
export type NestedInputs = ReadonlyMap<string, new () => object>;

/**
 * @throws NestedInputTypeError (`WM1034`) for a property of the class, or of the classes of its parts, that does not say what
 *   it holds
 */
export function nestedInputsOf(target: Constructor): NestedInputs {
  const found = new Map<string, new () => object>();
  for (const property of nestedProperties(target)) {
    const type = statedType(target, property) ?? reflectedClass(target, property);
    if (!type) throw new NestedInputTypeError(target.name, property);
    found.set(property, type);
    requireStatedTypes(type, new Set([target]));
  }
  return found;
}

/** Further down class-transformer goes by `@Type` alone. */
function requireStatedTypes(target: Constructor, seen: Set<Constructor>): void {
  if (seen.has(target)) return;
  seen.add(target);
  for (const property of nestedProperties(target)) {
    const type = statedType(target, property);
    if (!type) throw new NestedInputTypeError(target.name, property);
    requireStatedTypes(type, seen);
  }
}

function nestedProperties(target: Constructor): Set<string> {
  const rules = validationRules()?.getTargetValidationMetadatas(target, '', false, false) ?? [];
  return new Set(rules.filter(({ type }) => type === 'nestedValidation').map(({ propertyName }) => propertyName));
}

interface TypeMetadata {
  readonly typeFunction: () => new () => object;
}

/** By `@Type` of class-transformer. Its store is at a path of its own, which @nestjs/swagger reads as well. */
function statedType(target: Constructor, property: string): (new () => object) | undefined {
  try {
    const { defaultMetadataStorage } = require('class-transformer/cjs/storage.js') as {
      defaultMetadataStorage: { findTypeMetadata(target: Constructor, property: string): TypeMetadata | undefined };
    };
    return defaultMetadataStorage.findTypeMetadata(target, property)?.typeFunction();
  } catch {
    return undefined;
  }
}

/** By the compiler's own record, unless that is only `Object` or a list. */
function reflectedClass(target: Constructor, property: string): (new () => object) | undefined {
  const reflect = Reflect as { getMetadata?(key: string, target: object, property: string): unknown };
  const type = reflect.getMetadata?.('design:type', target.prototype as object, property);
  return typeof type === 'function' && !NOT_STATED.has(type) ? (type as new () => object) : undefined;
}

const NOT_STATED: ReadonlySet<unknown> = new Set([Object, Array, Map, Set, String, Number, Boolean, Function]);

/**
 * The activity as it is to be validated: rules about parts apply to instances of a class only, so data is made one first. The
 * activity itself keeps what it was given.
 */
export function withInstances(activity: object, nested: NestedInputs): object {
  let copy: Record<string, unknown> | undefined;
  for (const [property, type] of nested) {
    const value = (activity as Record<string, unknown>)[property];
    const instances = toInstances(value, type);
    if (instances !== value) (copy ??= Object.create(activity) as Record<string, unknown>)[property] = instances;
  }
  return copy ?? activity;
}

function toInstances(value: unknown, type: new () => object): unknown {
  if (typeof value !== 'object' || value === null || value instanceof type) return value;
  const { plainToInstance: toInstance } = require('class-transformer') as { plainToInstance: typeof plainToInstance };
  return toInstance(type, value);
}
