/** What an array of PostgreSQL says of its elements in the binary format: numbers of types, which are the same on all servers. */
const BIGINT = 20;
const TEXT = 25;

/** Number of dimensions, whether there may be a NULL, type, length and lower bound. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NUMBER_BYTES = 8;
const TWO_TO_32 = 2 ** 32;

/** As a call of the engine costs more than they do, shorter texts are written character by character. */
const SHORT = 40;

/**
 * The values of one column, as one parameter of a statement. They are sent in the binary format, where texts are not quoted: a state is
 * JSON, in which every sixth character would be escaped here and restored by the server.
 */
export class ValueList {
  constructor(
    private readonly values: readonly (string | number | null)[],
    private readonly isOfNumbers: boolean,
  ) {}

  toBinary(): Buffer {
    const list = Buffer.allocUnsafe(this.mostBytes());
    list.writeInt32BE(1, 0);
    list.writeInt32BE(1, 4);
    list.writeInt32BE(this.isOfNumbers ? BIGINT : TEXT, 8);
    list.writeInt32BE(this.values.length, 12);
    list.writeInt32BE(1, 16);
    let at = HEADER_BYTES;
    for (const value of this.values) {
      const begin = at + LENGTH_BYTES;
      const length = value === null ? -1 : writeValue(list, value, begin);
      list.writeInt32BE(length, at);
      at = begin + Math.max(0, length);
    }
    return list.subarray(0, at);
  }

  /** For connections of an application, whose driver may know no other format; pg asks for it by this name. */
  toPostgres(): string {
    const texts = this.values.map((value) => (typeof value === 'string' ? quoted(value) : (value ?? 'NULL')));
    return `{${texts.join(',')}}`;
  }

  /** In logs. */
  toJSON(): unknown {
    return this.values;
  }

  private mostBytes(): number {
    let bytes = HEADER_BYTES + this.values.length * LENGTH_BYTES;
    for (const value of this.values)
      if (typeof value === 'string') bytes += value.length < SHORT ? 3 * value.length : Buffer.byteLength(value);
      else if (value !== null) bytes += NUMBER_BYTES;
    return bytes;
  }
}

/** @returns how many bytes */
function writeValue(list: Buffer, value: string | number, begin: number): number {
  if (typeof value === 'number') {
    // A buffer takes the time of an invalid date for 0. The server refuses the text of one.
    if (!Number.isSafeInteger(value)) throw new RangeError(`A column of whole numbers cannot hold ${value}.`);
    list.writeInt32BE(Math.floor(value / TWO_TO_32), begin);
    list.writeUInt32BE(value >>> 0, begin + 4);
    return NUMBER_BYTES;
  }
  if (value.length >= SHORT) return list.write(value, begin);
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code > 0x7f) return list.write(value, begin);
    list[begin + index] = code;
  }
  return value.length;
}

/** What JSON would write in another way than lists do: control characters, and halves of pairs. */
// oxlint-disable-next-line no-control-regex -- these are meant
const UNLIKE_JSON = /[\0-\x1f\ud800-\udfff]/;

/** Quotes and backslashes get a backslash, as in JSON, which engines write several times faster. */
function quoted(text: string): string {
  if (!UNLIKE_JSON.test(text)) return JSON.stringify(text);
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
