/** Gives a constructor that extends it the object itself, in place of a new one. */
const Itself = function (object: object): object {
  return object;
} as unknown as new (object: object) => object;

/** A private member, as that of objects in any casing: found at no cost, and neither listed nor stored. */
class Unread extends Itself {
  readonly #name: string;

  constructor(object: object, name: string) {
    super(object);
    this.#name = name;
  }

  static nameIn(object: object): string | undefined {
    return #name in object ? object.#name : undefined;
  }
}

/**
 * Gives an object a member that is read when it is asked for, such as the content of a file that lies on a disk. It is
 * listed and stored like others. What passes data on, as expressions do, looks at it only when the member itself is read.
 * @param read gives bytes @returns the object itself
 */
export function withUnreadMember<T extends object, K extends string>(
  object: T,
  name: K,
  read: () => Uint8Array,
): T & { readonly [name in K]: Uint8Array } {
  Object.defineProperty(object, name, { get: read, enumerable: true, configurable: true });
  new Unread(object, name);
  return object as T & { readonly [name in K]: Uint8Array };
}

/** Name of the member that an object got from {@link withUnreadMember}; undefined for all others. */
export const unreadMemberOf = (object: object): string | undefined => Unread.nameIn(object);
