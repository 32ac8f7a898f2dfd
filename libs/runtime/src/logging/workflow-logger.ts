import { Logger } from '@nestjs/common';
import { LineLimit } from './line-limit.js';
import { logText } from './log-text.js';

/** Errors and warnings that say the same, within a minute. */
const ALIKE = 100;
/** Of one logger: what differs in each line may come from outside. */
const ALL = 1000;
/** Of a text: what comes later seldom tells two faults apart, and may be long. */
const SHAPE_CHARS = 300;
/** What differs between lines that say the same: ids, numbers and times. */
const VARYING = /\b[\w-]*\d[\w-]*\b/g;

/** What a line is about, where its words may be those of lines about something else. */
export interface LineSubject {
  /** Its first line within a minute is logged, whatever others have used up: the first thousand of all owners are. */
  readonly owner: string;
  /** Lines about different parts of it are counted apart. */
  readonly part: string;
}

/**
 * Nest's logger for all that Waymark says. What came from outside cannot pass for an entry of its own. And what happens to thousands
 * of instances, messages or requests at once has a hundred lines a minute, of which the last one is followed by one that says so: a
 * log that fills the disk takes the host down with it.
 */
export class WorkflowLogger extends Logger {
  private readonly alike: LineLimit;
  private readonly all: LineLimit;
  /** Whether an owner has had a line. */
  private readonly owners: LineLimit;
  /** First lines of owners: there may be more owners than are counted. */
  private readonly firsts: LineLimit;

  /**
   * @param context name of what is logging
   * @param now in milliseconds @default real time: a log is read by people, whatever the time of workflows is
   */
  constructor(context: string, now: () => number = () => performance.now()) {
    super(context);
    this.alike = new LineLimit(ALIKE, now);
    this.all = new LineLimit(ALL, now);
    this.owners = new LineLimit(1, now);
    this.firsts = new LineLimit(ALL, now);
  }

  /** As Nest logs an error; one of too many that say the same is left out. */
  override error(message: unknown, ...rest: unknown[]): void {
    this.limited(message, () => super.error(cleaned(message), ...rest.map(cleaned)));
  }
  /** As Nest logs a warning; one of too many that say the same is left out. */
  override warn(message: unknown, ...rest: unknown[]): void {
    this.limited(message, () => super.warn(cleaned(message), ...rest.map(cleaned)));
  }
  /** As `error`. A flood of the same words about others leaves out no first line of an owner. */
  errorAbout(subject: LineSubject, message: string, ...rest: unknown[]): void {
    this.limited(message, () => super.error(cleaned(message), ...rest.map(cleaned)), subject);
  }
  /** As `warn`, likewise. */
  warnAbout(subject: LineSubject, message: string): void {
    this.limited(message, () => super.warn(cleaned(message)), subject);
  }
  /** As Nest logs a message. */
  override log(message: unknown, ...rest: unknown[]): void {
    safely(() => super.log(cleaned(message), ...rest.map(cleaned)));
  }
  /** As Nest logs what helps to find errors. */
  override debug(message: unknown, ...rest: unknown[]): void {
    safely(() => super.debug(cleaned(message), ...rest.map(cleaned)));
  }
  /** An error with something that is kept nowhere else: it is never left out. */
  record(message: string): void {
    safely(() => super.error(cleaned(message)));
  }

  private limited(message: unknown, write: () => void, subject?: LineSubject): void {
    safely(() => this.writeWithin(message, write, subject));
  }

  private writeWithin(message: unknown, write: () => void, subject?: LineSubject): void {
    const shape = shapeOf(message);
    const alike = this.alike.count(subject ? JSON.stringify([subject.owner, subject.part, shape]) : shape);
    if (alike.isOver) return;
    const all = subject && this.isFirst(subject) ? undefined : this.all.count('');
    if (all?.isOver) return;
    if (alike.unlogged > 0) super.warn(`${alike.unlogged} lines like the next one were suppressed before it.`);
    if (all && all.unlogged > 0)
      super.warn(`${all.unlogged} lines of ${this.context} were suppressed before the next one.`);
    write();
    if (alike.isLast)
      super.warn(`${ALIKE} lines like the last one: further ones are suppressed for the rest of the minute.`);
    if (all?.isLast)
      super.warn(`${ALL} lines of ${this.context}: further ones are suppressed for the rest of the minute.`);
  }

  private isFirst({ owner }: LineSubject): boolean {
    return this.owners.count(owner).isLast && !this.firsts.count('').isOver;
  }
}

/**
 * The logger is the application's. One that throws would fail a commit that is stored, or a shutdown halfway, wherever a line is written
 * about it; and there is nowhere to say so.
 */
function safely(write: () => void): void {
  try {
    write();
  } catch {
    // The line is lost.
  }
}

const cleaned = (part: unknown): unknown => (typeof part === 'string' ? logText(part) : part);

function shapeOf(message: unknown): string {
  const { name, message: text } = (message ?? {}) as { name?: unknown; message?: unknown };
  const words = typeof message === 'string' ? message : `${String(name)}: ${String(text)}`;
  return words.slice(0, SHAPE_CHARS).replace(VARYING, '#');
}
