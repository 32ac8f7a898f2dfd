import { Drop } from 'liquidjs';

/** Places behind the point, and bits, that a decimal number of .NET has. */
const MOST_PLACES = 28;
const LIMIT = 1n << 96n;
const LARGEST = 7.9e28;
/** The engine writes numbers from here on with an exponent. */
const NO_EXPONENT = 1e21;
/** Digits of a binary number that .NET takes over: 0.1 + 0.2 is 0.3. */
const DIGITS_OF_DOUBLE = 15;
/** Fewer digits than a decimal number has room for, so that nothing is cut. */
const PLAIN = /^-?\d{1,14}(?:\.\d{1,14})?$/;
/** More digits than a decimal number has: text with more in front of the point is not one. */
const MOST_DIGITS = 29;

/**
 * A number as Elsa's templates count: a decimal number of .NET, which knows how many places it has. `2.0` is not `2`: it
 * shows as `2.0`, and what is divided by it is not rounded. A value of a template only where a number would not do.
 */
export class LiquidDecimal extends Drop {
  readonly #units: bigint;
  readonly #scale: number;

  /** `units` divided by ten to the power of `scale`. @throws RangeError for a number that .NET has no decimal for */
  constructor(units: bigint, scale: number) {
    super();
    // Nearly all have room: no digits are counted then.
    const hasRoom = scale <= MOST_PLACES && units < LIMIT && units > -LIMIT;
    const excess = hasRoom ? 0 : Math.max(scale - MOST_PLACES, 0, excessOf(units));
    this.#units = excess ? divided(units, 10n ** BigInt(excess)) : units;
    this.#scale = scale - excess;
    if (this.#scale < 0 || (!hasRoom && abs(this.#units) >= LIMIT))
      throw new RangeError('Value was either too large or too small for a Decimal.');
  }

  /** What is not finite counts as 0. */
  static of(value: number | bigint): LiquidDecimal {
    if (typeof value === 'bigint' || Number.isInteger(value)) return new LiquidDecimal(BigInt(value), 0);
    const text = String(value);
    // With the point, so no more digits than .NET takes over.
    if (text.length <= DIGITS_OF_DOUBLE + 1) return LiquidDecimal.parse(text);
    return LiquidDecimal.parse(Number.isFinite(value) ? String(Number(value.toPrecision(DIGITS_OF_DOUBLE))) : '');
  }

  /** As .NET reads decimals in any style: `1,234.50`, `(5)`, `5-`, `¤5`, `1e3`, but not `0x10` or `- 5`. 0 for other text. */
  static parse(text: string): LiquidDecimal {
    // Numbers as they are nearly always written: a third of what the other forms take.
    if (PLAIN.test(text)) {
      const point = text.indexOf('.');
      if (point < 0) return new LiquidDecimal(BigInt(text), 0);
      return new LiquidDecimal(BigInt(text.slice(0, point) + text.slice(point + 1)), text.length - point - 1);
    }
    // What stands before and after the digits is cut off by itself: one pattern for all takes the square of the blanks.
    const from = text.search(/[^-+(¤\s]/);
    if (from < 0) return new LiquidDecimal(0n, 0);
    let end = text.length;
    while (end > from && isMark(text.charAt(end - 1))) end--;
    const [before, after] = [text.slice(0, from), text.slice(end)];
    const match = /^(\d[\d,]*)?(?:\.(\d*))?(?:e([-+]?\d{1,9}))?$/i.exec(text.slice(from, end));
    const [, whole = '', fraction = '', exponent = '0'] = match ?? [];
    const sign = signOf(before, after);
    const digits = (whole.replaceAll(',', '') + fraction).replace(/^0+/, '');
    const scale = fraction.length - Number(exponent);
    if (!(whole || fraction) || sign === undefined || Math.abs(digits.length - scale) > MOST_DIGITS)
      return new LiquidDecimal(0n, 0);
    // Digits that no decimal number has room for are cut before they cost anything.
    const cut = Math.max(0, Math.min(scale - MOST_PLACES - 1, digits.length));
    const units = BigInt(sign + (digits.slice(0, digits.length - cut) || '0'));
    const places = scale - cut;
    try {
      return places < 0 ? new LiquidDecimal(units * 10n ** BigInt(-places), 0) : new LiquidDecimal(units, places);
    } catch {
      return new LiquidDecimal(0n, 0);
    }
  }

  get isZero(): boolean {
    return this.#units === 0n;
  }

  get hasPlaces(): boolean {
    return this.#scale > 0;
  }

  plus(other: LiquidDecimal): LiquidDecimal {
    const scale = Math.max(this.#scale, other.#scale);
    return new LiquidDecimal(this.unitsAt(scale) + other.unitsAt(scale), scale);
  }

  times(other: LiquidDecimal): LiquidDecimal {
    return new LiquidDecimal(this.#units * other.#units, this.#scale + other.#scale);
  }

  /** With the sign of what is divided, as .NET has it. @throws RangeError for 0 */
  modulo(other: LiquidDecimal): LiquidDecimal {
    const scale = Math.max(this.#scale, other.#scale);
    return new LiquidDecimal(this.unitsAt(scale) % other.notZero().unitsAt(scale), scale);
  }

  /** Exact to so many places. @throws RangeError for 0 */
  dividedBy(other: LiquidDecimal, places: number): LiquidDecimal {
    const [by, scale] = [other.notZero().#units, this.#scale - other.#scale];
    const shift = 10n ** BigInt(Math.abs(places - scale));
    const [dividend, divisor] = places >= scale ? [this.#units * shift, by] : [this.#units, by * shift];
    return new LiquidDecimal(divided(dividend, divisor), places).withoutZeros();
  }

  /** Down to so many places; fewer than 0: to tens, to hundreds. */
  rounded(places: number, divide = divided): LiquidDecimal {
    if (places >= this.#scale) return this;
    const units = divide(this.#units, 10n ** BigInt(this.#scale - places));
    return places < 0 ? new LiquidDecimal(units * 10n ** BigInt(-places), 0) : new LiquidDecimal(units, places);
  }

  floor(): LiquidDecimal {
    return this.rounded(0, floored);
  }

  negated(): LiquidDecimal {
    return new LiquidDecimal(-this.#units, this.#scale);
  }

  isLessThan(other: LiquidDecimal): boolean {
    const scale = Math.max(this.#scale, other.#scale);
    return this.unitsAt(scale) < other.unitsAt(scale);
  }

  /** One place at least. */
  withPlaces(): LiquidDecimal {
    return this.#scale > 0 ? this : new LiquidDecimal(this.#units * 10n, 1);
  }

  /** With all places: what filters of texts read. */
  get text(): string {
    const digits = String(abs(this.#units)).padStart(this.#scale + 1, '0');
    const whole = digits.slice(0, digits.length - this.#scale);
    const text = this.#scale === 0 ? whole : `${whole}.${digits.slice(whole.length)}`;
    return this.#units < 0n ? `-${text}` : text;
  }

  /** As templates show it: one zero behind the point where only zeros are there, else none at the end. */
  override toString(): string {
    return this.#scale === 0 ? this.text : this.text.replace(/(\.\d+?)0+$/, '$1');
  }

  override valueOf(): number {
    return Number(this.toString());
  }

  toJSON(): number {
    return this.valueOf();
  }

  /** A plain number where it says the same: everything else of a template knows those. */
  toTemplate(): number | LiquidDecimal {
    const units = Number(this.#units);
    if (this.#scale === 0 && Number.isSafeInteger(units)) return units;
    // A zero at the end is one that numbers do not have.
    if (this.#scale > 0 && units % 10 === 0 && Number.isSafeInteger(units)) return this;
    const [text, number] = [this.text, this.valueOf()];
    const isExact = /^-?0*(?:\d\.?){0,15}$/.test(text) && String(number) === text;
    return isExact ? number : this;
  }

  private unitsAt(scale: number): bigint {
    return scale === this.#scale ? this.#units : this.#units * 10n ** BigInt(scale - this.#scale);
  }

  private withoutZeros(): LiquidDecimal {
    const zeros = Math.min(/0*$/.exec(String(this.#units))![0].length, this.#scale);
    return zeros ? new LiquidDecimal(this.#units / 10n ** BigInt(zeros), this.#scale - zeros) : this;
  }

  private notZero(): this {
    if (this.isZero) throw new RangeError('Attempted to divide by zero.');
    return this;
  }
}

/** A number that the engine would write with an exponent, which decimal numbers of .NET do not have. */
export function numberText(value: number): string {
  const text = String(value);
  if (value > -NO_EXPONENT && value < NO_EXPONENT && (value > 1 || value < -1)) return text;
  return text.includes('e') && Math.abs(value) < LARGEST ? LiquidDecimal.of(value).toString() : text;
}

/** `undefined` where signs, parentheses and currency are not those of a number. */
function signOf(before: string, after: string): '' | '-' | undefined {
  // A blank after a sign ends the number, unless there is a currency.
  if (/\s$/.test(before) && /[-+(]/.test(before) && !before.includes('¤')) return undefined;
  const marks = (before + after).replace(/\s/g, '');
  if (marks.split('¤').length > 2) return undefined;
  const sign = marks.replace('¤', '');
  if (sign === '' || sign === '+') return '';
  return sign === '-' || sign === '()' ? '-' : undefined;
}

/** Asked for each character of what may be a long text: an expression would take ten times as long. */
const isMark = (char: string): boolean => '-+)¤'.includes(char) || char.trim() === '';

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** Digits too many for 96 bits. */
function excessOf(units: bigint): number {
  if (abs(units) < LIMIT) return 0;
  const excess = String(abs(units)).length - MOST_DIGITS;
  return excess > 0 && abs(units) / 10n ** BigInt(excess) < LIMIT ? excess : excess + 1;
}

/** Half to even, as .NET rounds decimals. */
function divided(units: bigint, by: bigint): bigint {
  const quotient = units / by;
  const doubled = 2n * abs(units % by);
  const goesUp = doubled > abs(by) || (doubled === abs(by) && quotient % 2n !== 0n);
  return goesUp ? quotient + (units < 0n === by < 0n ? 1n : -1n) : quotient;
}

const floored = (units: bigint, by: bigint): bigint => (units < 0n && units % by !== 0n ? units / by - 1n : units / by);
