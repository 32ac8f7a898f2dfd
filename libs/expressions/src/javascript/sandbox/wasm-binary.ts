/** Reads what a WebAssembly binary consists of. */
export class BinaryReader {
  constructor(
    private readonly bytes: Uint8Array,
    public at = 0,
  ) {}

  byte(): number {
    // Without an end a number that is cut off would be read for ever.
    if (this.at >= this.bytes.length) throw new RangeError('The WebAssembly binary ends too early.');
    return this.bytes[this.at++]!;
  }

  /** LEB128, unsigned. */
  unsigned(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const b = this.byte();
      value += (b & 0x7f) * scale;
      if (b < 0x80) return value;
    }
  }

  /** Any LEB128 number, whatever it means. */
  skip(): void {
    while (this.byte() >= 0x80);
  }

  text(): string {
    const length = this.unsigned();
    return Buffer.from(this.bytes.subarray(this.at, (this.at += length))).toString();
  }
}

/** LEB128. */
export function unsigned(value: number): number[] {
  const out: number[] = [];
  do {
    out.push((value % 128) | (value >= 128 ? 0x80 : 0));
    value = Math.floor(value / 128);
  } while (value > 0);
  return out;
}

/** A vector section with more elements. */
export function append(body: Uint8Array, elements: readonly number[][]): Uint8Array {
  const r = new BinaryReader(body);
  const count = r.unsigned();
  return join([
    Uint8Array.from(unsigned(count + elements.length)),
    body.subarray(r.at),
    ...elements.map((e) => Uint8Array.from(e)),
  ]);
}

export function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) {
    out.set(p, at);
    at += p.length;
  }
  return out;
}
