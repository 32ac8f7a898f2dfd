import { WaymarkError } from '../errors/waymark-error.js';

type AnyClass = abstract new (...args: never[]) => object;

/** How instances of a class are stored, and made again. */
export interface StorableType<T extends object = object> {
  /** Identifies the class in stored values, so it must not change while there are any. Also the alias of the type. */
  readonly name: string;
  /** The class. */
  readonly type: abstract new (...args: never[]) => T;
  /** Data that can be stored: plain objects, lists, text, numbers, dates … and instances of other such classes. */
  toData(value: T): unknown;
  /** Creates the object from what `toData` returned, or from JSON of a caller. */
  fromData(data: unknown): T;
}

/**
 * Thrown when two classes are registered under one name, or one class under two names, so that stored values would be read back
 * as the wrong class.
 */
export class StorableTypeConflictError extends WaymarkError {
  readonly code = 'WM1031';
  constructor(
    /** Name of the type. */
    readonly typeName: string,
  ) {
    super(
      `The name '${typeName}' already belongs to another class, or this class already has another name. ` +
        "Give each class its own name in the option 'types' of WorkflowModule: { type: Order, name: 'shop.Order' }.",
    );
  }
}

/** Thrown when a stored value is an instance of a class that this process does not know. Nothing is changed. */
export class StorableTypeUnknownError extends WaymarkError {
  readonly code = 'WM1032';
  constructor(
    /** Name of the type. */
    readonly typeName: string,
  ) {
    super(
      `A stored value is an instance of '${typeName}', which is not registered on this node. Add its class to the option 'types' of WorkflowModule.`,
    );
  }
}

interface Table {
  readonly byName: Map<string, StorableType>;
  readonly byClass: WeakMap<object, StorableType>;
}

// Of the process, like the codec that every store writes with; shared by two copies of this package.
const KEY = Symbol.for('@waymark/core:storable-types');
const table = ((globalThis as { [KEY]?: Table })[KEY] ??= { byName: new Map(), byClass: new WeakMap() });

/**
 * Registers a class whose instances are stored as such from now on, by every application of this process.
 * @throws StorableTypeConflictError (`WM1031`)
 */
export function registerStorableType(storable: StorableType): void {
  const { name, type } = storable;
  const known = table.byName.get(name);
  if (known ? known.type !== type : table.byClass.has(type)) throw new StorableTypeConflictError(name);
  table.byName.set(name, storable);
  table.byClass.set(type, storable);
}

/** How instances of exactly that class are stored; `undefined` when it is not registered. */
export const storableTypeOf = (type: AnyClass): StorableType | undefined => table.byClass.get(type);

/**
 * Returns how an object is stored; undefined unless its own class is registered. An instance of a derived class would lose its additional
 * members.
 */
export function storableTypeOfValue(value: object): StorableType | undefined {
  const constructor: unknown = (Object.getPrototypeOf(value) as { constructor?: unknown } | null)?.constructor;
  return typeof constructor === 'function' ? table.byClass.get(constructor) : undefined;
}

/** An instance on its way into the store or out of it: the name of its class, and its data. */
export class InstanceData extends Map<'type' | 'data', unknown> {
  static of(type: string, data: unknown): InstanceData {
    return new InstanceData([
      ['type', type],
      ['data', data],
    ]);
  }

  /** The instance. @throws StorableTypeUnknownError (`WM1032`) */
  static restore(type: string, data: unknown): object {
    const storable = table.byName.get(type);
    if (!storable) throw new StorableTypeUnknownError(type);
    return storable.fromData(data);
  }
}
