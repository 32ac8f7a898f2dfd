import type { LogPersistenceMode } from '../graph/log-persistence.js';
import type { Redaction } from '../secrets/redaction.js';
import type { ValueCipher } from '../secrets/value-cipher.js';
import type { Clock } from '../values/clock.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { BookmarkOptions } from './bookmark-options.js';
import type { IncidentStrategy } from './incident-strategy.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';
import type { Bookmark } from '../state/workflow-state.js';

/** Wraps every execution of an activity: call `next` to run it. */
export type ActivityMiddleware = (ctx: ActivityExecutionContext, next: () => unknown) => unknown;
/** Wraps every burst: call `next` to run it. */
export type WorkflowMiddleware = (ctx: WorkflowExecutionContext, next: () => Promise<void>) => Promise<void>;
/** How a flowchart decides what runs next: by counting visits of connections, or by tokens. */
export type FlowchartMode = 'counter' | 'token';

/** What the engine needs from outside. Everything has a stock value except the clock, ids and hash. */
export interface EngineOptions {
  /** Where the time comes from. */
  readonly clock: Clock;
  /** A new unique id, e.g. 24 hex digits that begin with the time. */
  readonly newId: () => string;
  /** SHA-256 of the text, upper-case hex. */
  readonly hash: (text: string) => string;
  /** False: no log entries and no activity records are made. @default true */
  readonly journal?: boolean;
  /** For activities of workflows where neither says what records keep; who compiles graphs passes it on. @default 'Inherit' */
  readonly logPersistenceMode?: LogPersistenceMode;
  /** What is a secret, and so kept out of journals and stored states; false: nothing is. @default the stock list of names */
  readonly redaction?: Redaction | false;
  /** Encrypts the values of a state that a definition wants encrypted. @default there is none, and such definitions are refused */
  readonly cipher?: ValueCipher | undefined;
  /** How flowcharts that do not say decide what runs next. @default 'counter' */
  readonly flowchartMode?: FlowchartMode;
  /** Applied when a definition names none. @default 'Fault' */
  readonly defaultIncidentStrategy?: string;
  /** Besides `Fault` and `ContinueWithIncidents`. */
  readonly incidentStrategies?: Readonly<Record<string, IncidentStrategy>>;
  /** Outermost first, around the built-in steps. */
  readonly activityMiddleware?: readonly ActivityMiddleware[];
  /** Functions around every burst, outermost first. */
  readonly workflowMiddleware?: readonly WorkflowMiddleware[];
  /** Checks the evaluated inputs of an activity before it executes; throws what is wrong with them. */
  readonly validateInputs?: (ctx: ActivityExecutionContext) => void;
  /** Receives what WriteLine writes. @default nothing */
  readonly writeLine?: (text: string, ctx: ActivityExecutionContext) => void;
  /**
   * True: activities of kind `Job`, and those of kind `Task` that ask for it, wait at a bookmark while a worker of the host
   * executes them; see `runDetached`. @default false: they are executed in the burst
   */
  readonly background?: boolean;
  /** Makes the URL that resumes a bookmark without credentials. @default there are none */
  readonly resumeUrl?: (bookmark: Bookmark, workflowInstanceId: string, lifetime?: string | Date) => string;
  /**
   * When an activity waits again that was resumed at a bookmark whose metadata has `REPEATS`, and has not ended. @default never:
   * such a bookmark is resumed once
   */
  readonly repeat?: (bookmark: Bookmark, now: number) => Pick<BookmarkOptions, 'dueAt' | 'stimulus'> | undefined;
  /** Gives what ReadLine reads; null at the end of the input. @default nothing to read: null */
  readonly readLine?: (ctx: ActivityExecutionContext) => string | null | Promise<string | null>;
  /** Gives other work of the process a turn; awaited every 500 activities of a burst. */
  readonly yield?: () => Promise<void>;
  /**
   * What to wait for before an expression is evaluated; undefined: nothing. One activity may have hundreds of scripts, each of which holds
   * the process for as long as it may.
   */
  readonly turn?: () => PromiseLike<void> | undefined;
  /** Told about what is wrong but does not stop a workflow. */
  readonly warn?: (message: string) => void;
}
