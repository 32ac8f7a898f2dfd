import type { ActivityExecutionContext } from './activity-execution-context.js';

/** How a child is scheduled. */
export interface ScheduleOptions {
  /** Method of this activity to call when the child has completed. */
  callback?: (...args: never[]) => unknown;
  /** Value that becomes the `tag` of the child, and the `tag` of this context when the callback runs. */
  tag?: unknown;
  /** Variables declared for the child, by name. */
  variables?: Readonly<Record<string, unknown>>;
  /** Input of this execution alone. @default none */
  input?: Readonly<Record<string, unknown>>;
  /** The execution that continues. @default a new one */
  existing?: ActivityExecutionContext;
  /** The execution whose completion led to the child, for call stacks. @default this activity itself */
  after?: ActivityExecutionContext;
}
