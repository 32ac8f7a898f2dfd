// What a case may demand. Counts, because a case without an assertion fails.
import { isDeepStrictEqual } from 'node:util';
import { Fail, normalise, show } from './values.mjs';

export class Assertions {
  assertions = 0;

  // ----- assertions -----
  ok(cond, message) {
    this.assertions++;
    if (!cond) throw new Fail(message || 'expected a truthy value');
    return cond;
  }
  eq(actual, expected, what = 'value') {
    this.assertions++;
    if (!isDeepStrictEqual(normalise(actual), normalise(expected)))
      throw new Fail(`${what}: expected ${show(expected)}, got ${show(actual)}`);
  }
  ne(actual, unexpected, what = 'value') {
    this.assertions++;
    if (isDeepStrictEqual(normalise(actual), normalise(unexpected)))
      throw new Fail(`${what}: did not expect ${show(actual)}`);
  }
  oneOf(actual, list, what = 'value') {
    this.assertions++;
    if (!list.some((x) => isDeepStrictEqual(normalise(x), normalise(actual))))
      throw new Fail(`${what}: expected one of ${show(list)}, got ${show(actual)}`);
  }
  includes(haystack, needle, what = 'value') {
    this.assertions++;
    const has =
      typeof haystack === 'string'
        ? haystack.includes(needle)
        : Array.isArray(haystack) && haystack.some((x) => isDeepStrictEqual(normalise(x), normalise(needle)));
    if (!has) throw new Fail(`${what}: ${show(needle)} is not in ${show(haystack)}`);
  }
  excludes(haystack, needle, what = 'value') {
    this.assertions++;
    const has =
      typeof haystack === 'string'
        ? haystack.includes(needle)
        : Array.isArray(haystack) && haystack.some((x) => isDeepStrictEqual(normalise(x), normalise(needle)));
    if (has) throw new Fail(`${what}: ${show(needle)} should not be in ${show(haystack)}`);
  }
  match(actual, regex, what = 'value') {
    this.assertions++;
    if (typeof actual !== 'string' || !regex.test(actual))
      throw new Fail(`${what}: ${show(actual)} does not match ${regex}`);
  }
  sameSet(actual, expected, what = 'set') {
    this.eq([...actual].map((x) => JSON.stringify(x)).sort(), [...expected].map((x) => JSON.stringify(x)).sort(), what);
  }
  /** `earlier` appears before `later` in list. */
  before(list, earlier, later, what = 'order') {
    const a = list.indexOf(earlier),
      b = list.indexOf(later);
    this.ok(a >= 0 && b >= 0 && a < b, `${what}: expected ${show(earlier)} before ${show(later)} in ${show(list)}`);
  }
}
