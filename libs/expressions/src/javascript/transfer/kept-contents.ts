/** Contents larger than this cross into the sandbox when a script reads them, not with the object that they belong to. */
export const LARGE_CONTENT = 16_384;

/** Contents of files and the like that stay outside of the sandbox: what crosses in their place is a number. */
export interface Contents {
  /** Number of a content; undefined: it is to cross with its object. */
  keep(bytes: Uint8Array): number | undefined;
  /** Number of a member that is read when a script reads it; undefined: it is to cross with its object. */
  keepUnread(object: object, name: string): number | undefined;
  /** The content of that number; undefined when the script was given no such number. */
  find(number: number): Uint8Array | undefined;
}

/** Those of one evaluation, which can be asked for nothing that it was not given. */
export class KeptContents implements Contents {
  private readonly contents: (Uint8Array | (() => Uint8Array))[] = [];
  private readonly numbers = new Map<object, number>();

  /** The same number for the same content: a variable that a script did not change is to look unchanged. */
  keep(bytes: Uint8Array): number | undefined {
    if (bytes.byteLength <= LARGE_CONTENT) return undefined;
    let number = this.numbers.get(bytes);
    if (number === undefined) this.numbers.set(bytes, (number = this.contents.push(bytes) - 1));
    return number;
  }

  keepUnread(object: object, name: string): number {
    let number = this.numbers.get(object);
    if (number === undefined) {
      const read = (): Uint8Array => (object as Record<string, Uint8Array>)[name]!;
      this.numbers.set(object, (number = this.contents.push(read) - 1));
    }
    return number;
  }

  find(number: number): Uint8Array | undefined {
    const content = this.contents[number];
    return typeof content === 'function' ? content() : content;
  }
}
