import { createRequire } from 'node:module';
import { StorableTypeConflictError, WaymarkError } from '@waymark/core';
import { registerStorableType, type StorableType, type TypeRegistry } from '@waymark/core/adapter';
import type * as ClassTransformer from 'class-transformer';
import type { ValueClass, ValueClassOption } from '../options/value-class.js';
import { holdsInstances, keepInstances, putBackInstances } from './nested-instances.js';

const require = createRequire(import.meta.url);

/** Thrown when instances of a class of the option `types` could not be stored and restored. */
export class ValueClassError extends WaymarkError {
  readonly code = 'WM1033';
  constructor(
    /** Name of the class. */
    readonly className: string,
    reason: string,
    options?: { cause?: unknown },
  ) {
    super(
      `Class ${className} in the option 'types' of WorkflowModule: ${reason}. ` +
        'Correct that, or say how it is stored: { type, toData: (value) => …, fromData: (data) => … }.',
      options,
    );
  }
}

/** Makes the classes of the application known to the codec of stores, and to definitions as types. */
export function registerValueClasses(classes: readonly ValueClassOption[], types: TypeRegistry): void {
  for (const option of classes) {
    const storable = toStorable(typeof option === 'function' ? { type: option } : option);
    const known = types.resolve(storable.name);
    if (known && known.storable?.type !== storable.type) throw new StorableTypeConflictError(storable.name);
    registerStorableType(storable);
    types.register(storable.name, { kind: 'object', storable });
  }
}

function toStorable({ type, name = type.name, toData, fromData }: ValueClass): StorableType {
  if (toData && fromData) return { name, type, toData, fromData: fromData as StorableType['fromData'] };
  if (toData || fromData) throw new ValueClassError(name, "it has one of 'toData' and 'fromData' without the other");
  const { instanceToPlain, plainToInstance } = classTransformer(name);
  const constructor = type as new () => object;
  try {
    new constructor();
  } catch (cause) {
    throw new ValueClassError(name, 'its constructor fails when class-transformer calls it without arguments', {
      cause,
    });
  }
  const fromPlain = (data: unknown): object => {
    const made = plainToInstance(constructor, data);
    putBackInstances(data, made);
    return made;
  };
  return {
    name,
    type,
    toData: (value) => {
      try {
        const plain = instanceToPlain(value);
        if (holdsInstances(value, plain)) keepInstances(value, plain, fromPlain(plain));
        return plain;
      } catch (cause) {
        if (!(cause instanceof RangeError)) throw cause;
        throw new Error('it refers back to itself: exclude the back reference with @Exclude() of class-transformer', {
          cause,
        });
      }
    },
    fromData: fromPlain,
  };
}

/** An optional peer: loaded when the first class needs it. */
function classTransformer(name: string): typeof ClassTransformer {
  try {
    return require('class-transformer') as typeof ClassTransformer;
  } catch (cause) {
    throw new ValueClassError(name, "it is stored by the package 'class-transformer', which is not installed", {
      cause,
    });
  }
}
