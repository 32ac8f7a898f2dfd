import { toErrorLike } from '@waymark/core/adapter';
import { Cron } from 'croner';
import { CronExpressionError } from '../errors/scheduling-errors.js';
import { namesTimesOfDay, toLibraryDialect } from './cron-dialect.js';
import { endOfGap, offsetsOf, skippedDay } from './skipped-day.js';

/** Characters of an expression. Each number of a list costs time whenever the next run is looked for. */
const LONGEST = 1000;
/** Any moment will do to find out whether an expression ever matches: nothing in it names a year. */
const REFERENCE = new Date(Date.UTC(2000, 0, 1));

/**
 * When a cron expression matches.
 *
 * Dialect: five fields (minute, hour, day of month, month, day of week) or six (seconds first); lists, ranges, steps,
 * names, `?`, `L`, `W`, `#`, and short forms such as `@daily`. As in Elsa, and unlike classic cron, a day must match
 * both the day of month and the day of week.
 *
 * Time zone: an IANA name. Where clocks change,
 * - an expression that names times of day (no `*`, `?` or step in seconds, minutes and hours) runs once for each of
 *   them: one that the change leaps over runs at the first moment after the gap, one that occurs twice runs the first
 *   time only; of a whole day that is left out (30 December 2011 in Pacific/Apia), they run together, at the first moment
 *   of the next one;
 * - an expression that repeats within the day (`*`, steps) follows the elapsed time: it leaves out what the change leaps
 *   over and runs through the repeated hour twice.
 */
export class CronSchedule {
  private readonly cron: Cron;
  /** The same expression read as if clocks never changed; undefined where that tells nothing more. */
  private readonly unchanged: Cron | undefined;
  private offsetAt: ((time: number) => number) | undefined;

  /** @param timeZone @default 'UTC' @throws CronExpressionError */
  constructor(
    readonly expression: string,
    readonly timeZone: string = 'UTC',
  ) {
    if (expression.length > LONGEST)
      throw new CronExpressionError(`${expression.slice(0, 100)}…`, `it is longer than ${LONGEST} characters.`);
    const pattern = toLibraryDialect(expression);
    if (pattern === undefined) {
      throw new CronExpressionError(
        expression,
        'it needs five fields, or six with seconds first, separated by blanks.',
      );
    }
    if (!isTimeZone(timeZone)) throw new CronExpressionError(expression, notTimeZone(timeZone));
    this.cron = parse(expression, pattern, timeZone);
    if (timeZone !== 'UTC' && namesTimesOfDay(pattern)) this.unchanged = parse(expression, pattern, 'UTC');
    if (!this.next(REFERENCE)) throw new CronExpressionError(expression, 'no date ever matches it.');
  }

  /** The first match later than that instant; `undefined` when there is none any more. */
  next(after: Date): Date | undefined {
    const next = this.cron.nextRun(after) ?? undefined;
    return next && (this.afterSkippedDay(after, next) ?? this.afterGap(after, next) ?? next);
  }

  /** When a day lies between the two that the zone has left out, and on which the expression would have run: the end of it. */
  private afterSkippedDay(after: Date, next: Date): Date | undefined {
    if (!this.unchanged) return undefined;
    const skipped = skippedDay(after, next, this.offsets);
    if (!skipped || skipped.at >= next) return undefined;
    const match = this.unchanged.nextRun(new Date(skipped.from.getTime() - 1));
    return match && match < skipped.to ? skipped.at : undefined;
  }

  /** When the time after that instant is in a gap, and was not found: the end of the gap. */
  private afterGap(after: Date, next: Date): Date | undefined {
    if (!this.unchanged) return undefined;
    const match = this.unchanged.nextRun(new Date(after.getTime() + this.offsets(after.getTime())));
    // Compared by what clocks show: outside of a gap, both name the same time.
    if (!match || match.getTime() >= next.getTime() + this.offsets(next.getTime())) return undefined;
    const end = endOfGap(match.getTime(), this.offsets);
    return end && end > after && end < next ? end : undefined;
  }

  private get offsets(): (time: number) => number {
    return (this.offsetAt ??= offsetsOf(this.timeZone));
  }
}

function parse(expression: string, pattern: string, timezone: string): Cron {
  try {
    return new Cron(pattern, {
      timezone,
      mode: '5-or-6-parts',
      domAndDow: true,
      sloppyRanges: true,
      fixedTimeRule: 'no-wildcard',
    });
  } catch (cause) {
    throw new CronExpressionError(expression, toErrorLike(cause).message.replace(/^CronPattern: /, ''), { cause });
  }
}

/** What is wrong with it, and what to do. */
export const notTimeZone = (name: string): string =>
  `'${name}' is not a time zone. Use an IANA name such as 'Europe/Vilnius'.`;

/** Offsets like `+02:00` are refused: whether they are names depends on the version of the JavaScript engine. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
