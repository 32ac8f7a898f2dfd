import { toErrorLike } from '@waymark/core/adapter';
import { RE2JS } from 're2js';
import { boundProgramSize, countWideClasses } from './expression-size.js';
import type { RouteSteps } from './route-steps.js';

/** Longest expression, in characters. */
const LONGEST_EXPRESSION = 500;
/** Most instructions of all expressions of a template together; compiling them takes up to about 20 ms. */
const MOST_INSTRUCTIONS = 1000;
/** Each takes up to 5 ms to compile. */
const MOST_WIDE_CLASSES = 8;
/** Instructions × characters: RE2 may try every instruction at every character, which takes up to about 20 ms for so many. */
const MOST_STEPS = 100_000;

/** An expression exceeds a limit, or RE2 refuses it. */
export class RouteExpressionError extends Error {}

/**
 * The regular expressions of one template. By RE2, whose time grows with the length of the path and the size of its program
 * and no faster: JavaScript's own expressions can be kept busy for minutes by one crafted path, and everybody may send one. The
 * price: no look-around and no references to groups. Repetitions make a large program of a short text, so both the programs
 * and the texts that they are asked about are limited, for all expressions of the template together.
 */
export class RouteExpressions {
  /** Of the programs of all of them. */
  instructions = 0;
  private wideClasses = 0;

  /**
   * Whether the expression is found in a text. A text with more than 100,000 / instructions characters does not match, nor does
   * any once the steps of the request are spent.
   *
   * @throws RouteExpressionError for an expression that RE2 refuses, or one too many
   */
  compile(source: string): (text: string, steps?: RouteSteps) => boolean {
    if (source.length > LONGEST_EXPRESSION)
      throw new RouteExpressionError(`it is longer than ${LONGEST_EXPRESSION} characters`);
    const { test, size } = this.compileWithin(source);
    this.instructions += size;
    return (text, steps) => {
      const cost = text.length * this.instructions;
      return cost <= MOST_STEPS && (steps?.spend(cost) ?? true) && test(text);
    };
  }

  private compileWithin(source: string): { test: (text: string) => boolean; size: number } {
    try {
      const translated = RE2JS.translateRegExp(source);
      this.check(translated);
      const expression = RE2JS.compile(translated, RE2JS.CASE_INSENSITIVE);
      return { test: (text) => expression.test(text), size: expression.programSize() };
    } catch (cause) {
      if (cause instanceof RouteExpressionError) throw cause;
      const { message } = toErrorLike(cause);
      throw new RouteExpressionError(`${message}; look-around and references to groups are not available`);
    }
  }

  /** Before it is compiled. */
  private check(source: string): void {
    if (this.instructions + boundProgramSize(source) > MOST_INSTRUCTIONS)
      throw new RouteExpressionError(
        `the expressions of a path have more than ${MOST_INSTRUCTIONS} instructions together, repeat fewer times`,
      );
    this.wideClasses += countWideClasses(source);
    if (this.wideClasses > MOST_WIDE_CLASSES)
      throw new RouteExpressionError(
        `the expressions of a path have more than ${MOST_WIDE_CLASSES} Unicode classes and ranges that end beyond ASCII`,
      );
  }
}
