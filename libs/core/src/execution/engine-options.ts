import type { LogPersistenceMode } from '../graph/log-persistence.js';
import type { Redaction } from '../secrets/redaction.js';
import type { ValueCipher } from '../secrets/value-cipher.js';
import type { Clock } from '../values/clock.js';
import type { TimeSpanInput } from '../values/time-span.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { BookmarkOptions } from './bookmark-options.js';
import type { IncidentStrategy } from './incident-strategy.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';
import type { Bookmark } from '../state/workflow-state.js';

/**
 * A function around each execution of an activity, and around each resume, so a waiting activity passes it more than once. A background
 * activity passes it three times: when its job is planned, when the job runs, and when the result is applied.
 *
 * Inputs are evaluated within `next`: before it, they are undefined. What `next` throws, or rejects with, is the error of the activity, before
 * its retry policy decides; so is an error of the middleware. Without a call of `next`, an execution completes with `Done`, and a resumed
 * activity keeps waiting.
 * @param ctx of the activity
 * @param next runs it; returns a promise only where something waits
 * @returns what `next` returned, or a promise that ends after it
 * @example
 * ```ts
 * const logged: ActivityMiddleware = async (ctx, next) => {
 *   console.log(`begin ${ctx.node.id}`);
 *   await next();
 * };
 * WorkflowModule.forRoot({ activityMiddleware: [logged] });
 * ```
 */
export type ActivityMiddleware = (ctx: ActivityExecutionContext, next: () => unknown) => unknown;
/**
 * A function around each burst: what an instance executes from a start or a resume until it ends or waits.
 *
 * `next` resolves also when an activity fails, which makes an incident of `ctx.incidents`; it rejects with errors of the engine alone.
 * @param ctx of the instance
 * @param next runs the burst
 * @example
 * ```ts
 * const timed: WorkflowMiddleware = async (ctx, next) => {
 *   const begin = performance.now();
 *   await next();
 *   console.log(`${ctx.id} took ${performance.now() - begin} ms`);
 * };
 * WorkflowModule.forRoot({ workflowMiddleware: [timed] });
 * ```
 */
export type WorkflowMiddleware = (ctx: WorkflowExecutionContext, next: () => Promise<void>) => Promise<void>;
/** How a flowchart decides what runs next: by counting visits of connections, or by tokens. */
export type FlowchartMode = 'counter' | 'token';

/** Dependencies and settings of the engine. All except the clock, ids and hash have defaults. */
export interface EngineOptions {
  /** Source of the time. */
  readonly clock: Clock;
  /** A new unique id, e.g. 24 hex digits that begin with the time. */
  readonly newId: () => string;
  /** SHA-256 of the text, upper-case hex. */
  readonly hash: (text: string) => string;
  /** If false, no log entries and no activity records are made. @default true */
  readonly journal?: boolean;
  /**
   * Log persistence of activities whose workflow does not set it either; passed on when graphs are compiled. @default 'Inherit'
   */
  readonly logPersistenceMode?: LogPersistenceMode;
  /**
   * Decides which values are secrets and are kept out of journals and stored states; false disables this. @default the built-in
   * list of names
   */
  readonly redaction?: Redaction | false;
  /**
   * Encrypts the values of a state that a definition declares as encrypted. @default none, and such definitions are refused
   */
  readonly cipher?: ValueCipher | undefined;
  /** How flowcharts without a mode of their own decide what runs next. @default 'counter' */
  readonly flowchartMode?: FlowchartMode;
  /** Incident strategy of definitions that name none. @default 'Fault' */
  readonly defaultIncidentStrategy?: string;
  /** Incident strategies besides `Fault` and `ContinueWithIncidents`. */
  readonly incidentStrategies?: Readonly<Record<string, IncidentStrategy>>;
  /** Middleware around the built-in steps, outermost first. */
  readonly activityMiddleware?: readonly ActivityMiddleware[];
  /** Functions around every burst, outermost first. */
  readonly workflowMiddleware?: readonly WorkflowMiddleware[];
  /** Checks the evaluated inputs of an activity before it executes; throws what is wrong with them. */
  readonly validateInputs?: (ctx: ActivityExecutionContext) => void;
  /** Receives the text of WriteLine. @default none */
  readonly writeLine?: (text: string, ctx: ActivityExecutionContext) => void;
  /**
   * If true, activities of kind `Job`, and those of kind `Task` that ask for it, wait at a bookmark while a worker of the host
   * executes them; see `runDetached`. @default false: they are executed in the burst
   */
  readonly background?: boolean;
  /** Makes the URL that resumes a bookmark without credentials. @default none */
  readonly resumeUrl?: (bookmark: Bookmark, workflowInstanceId: string, lifetime?: TimeSpanInput | Date) => string;
  /**
   * Returns when an activity waits again after it was resumed at a bookmark with `REPEATS` in its metadata and has not ended.
   * @default never: such a bookmark is resumed once
   */
  readonly repeat?: (bookmark: Bookmark, now: number) => Pick<BookmarkOptions, 'dueAt' | 'stimulus'> | undefined;
  /** Returns the line that ReadLine reads; null at the end of the input. @default none to read: null */
  readonly readLine?: (ctx: ActivityExecutionContext) => string | null | Promise<string | null>;
  /** Lets other work of the process run; awaited every 500 activities of a burst. */
  readonly yield?: () => Promise<void>;
  /**
   * Returns what to wait for before an expression is evaluated; undefined if it can be evaluated at once. One activity may have
   * hundreds of scripts, each of which may block the process for its time limit.
   */
  readonly turn?: () => PromiseLike<void> | undefined;
  /**
   * Returns what expressions get in place of the host's secrets, where what is evaluated is shown to a user who may not have them.
   * @default none: they get the secrets
   */
  readonly secretInstead?: (() => string) | undefined;
  /** Receives warnings about problems that do not stop a workflow. */
  readonly warn?: (message: string) => void;
}
