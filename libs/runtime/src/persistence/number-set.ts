/** Numbers of one page: a bit for each. */
const PAGE = 1024;
const WORD = 32;

/** Whole numbers, a bit for each where they follow one another: a million take 125 kB. */
export class NumberSet {
  private readonly pages = new Map<number, Uint32Array>();
  private count = 0;

  /** How many numbers it has. */
  get size(): number {
    return this.count;
  }

  /** Whether it has that number. */
  has(number: number): boolean {
    const { page, word, bit } = placeOf(number);
    return ((this.pages.get(page)?.[word] ?? 0) & bit) !== 0;
  }

  /** Adds a number. @returns whether it was not there */
  add(number: number): boolean {
    const { page, word, bit } = placeOf(number);
    let bits = this.pages.get(page);
    if (!bits) this.pages.set(page, (bits = new Uint32Array(PAGE / WORD)));
    if ((bits[word]! & bit) !== 0) return false;
    bits[word]! |= bit;
    this.count++;
    return true;
  }

  /** In ascending order. @param take at most */
  slice(skip: number, take: number): number[] {
    const found: number[] = [];
    let left = skip;
    for (const number of take > 0 ? this.ascending() : []) {
      if (left-- > 0) continue;
      found.push(number);
      if (found.length >= take) break;
    }
    return found;
  }

  private *ascending(): Generator<number, void> {
    for (const page of [...this.pages.keys()].sort((left, right) => left - right)) {
      const bits = this.pages.get(page)!;
      for (let at = 0; at < PAGE; at++)
        if ((bits[Math.floor(at / WORD)]! & (1 << (at % WORD))) !== 0) yield page * PAGE + at;
    }
  }
}

function placeOf(number: number): { readonly page: number; readonly word: number; readonly bit: number } {
  const page = Math.floor(number / PAGE);
  const at = number - page * PAGE;
  return { page, word: Math.floor(at / WORD), bit: 1 << (at % WORD) };
}
