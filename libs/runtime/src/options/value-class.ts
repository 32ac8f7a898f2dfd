import type { Constructor } from '@waymark/core';

/** How instances of a class are stored. */
// oxlint-disable-next-line typescript/no-explicit-any -- a list holds entries for classes of any kind
export interface ValueClass<T extends object = any> {
  /** The class. */
  readonly type: Constructor<T>;
  /**
   * Name of the class in stored values and, as type alias, in definitions. It must not change as long as such values exist.
   * @default the name of the class
   */
  readonly name?: string;
  /**
   * Converts an instance to data that can be stored; give it with `fromData`. @default what class-transformer's
   * `instanceToPlain` gives
   */
  toData?(value: T): unknown;
  /** Creates an instance from stored data or from JSON of a caller. @default class-transformer's `plainToInstance` */
  fromData?(data: never): T;
}

/** A class whose instances workflows may hold, alone or with its own conversion functions. */
export type ValueClassOption = Constructor | ValueClass;
