import type { Constructor } from '@waymark/core';

/** How instances of a class are stored. */
// oxlint-disable-next-line typescript/no-explicit-any -- a list holds entries for classes of any kind
export interface ValueClass<T extends object = any> {
  /** The class. */
  readonly type: Constructor<T>;
  /**
   * Stands in stored values and, as the alias of the type, in definitions: it must stay the same for as long as there are any.
   * @default the name of the class
   */
  readonly name?: string;
  /** Data to be stored, with `fromData`. @default what class-transformer's `instanceToPlain` gives */
  toData?(value: T): unknown;
  /** The instance again, from stored data or from JSON of a caller. @default class-transformer's `plainToInstance` */
  fromData?(data: never): T;
}

/** A class whose instances workflows may hold, or one with rules of its own. */
export type ValueClassOption = Constructor | ValueClass;
