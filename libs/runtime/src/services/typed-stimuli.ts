import type { ActivityExecutionContext, BookmarkOptions, Constructor } from '@waymark/core';
import { activityTypeName } from '@waymark/core/adapter';

/** An event of the application, with the type of its payload: `workflowEvent<OrderPaid>('OrderPaid')`. */
export class WorkflowEventType<Payload = unknown> {
  /** Never set. It gives the compiler the type of the payload. */
  declare protected readonly payloadType: (payload: Payload) => Payload;

  constructor(
    /** Name of the event. */
    readonly name: string,
  ) {}
}

/**
 * Declares an event, for the code that publishes it and the code that waits for it.
 * @param name by which `Event` activities listen
 * @example export const OrderPaid = workflowEvent<{ orderId: string }>('OrderPaid');
 */
export function workflowEvent<Payload = unknown>(name: string): WorkflowEventType<Payload> {
  return new WorkflowEventType<Payload>(name);
}

/**
 * A stimulus of your own activities, with the type of the value that it is matched by and the type of the input of a resume:
 * `stimulusType<{ requestId: string }, { approved: boolean }>('Decision')`.
 */
export class StimulusType<Stimulus = unknown, Input = Readonly<Record<string, unknown>>> {
  /** Never set. It gives the compiler the types of the stimulus. */
  declare protected readonly types: (stimulus: Stimulus, input: Input) => [Stimulus, Input];

  constructor(
    /** Stimulus name. */
    readonly name: string,
  ) {}

  /**
   * Returns the options of a bookmark that waits for it: `ctx.createBookmark(Decision.bookmark({ requestId },
   * this.onDecided))`.
   */
  bookmark(
    stimulus: Stimulus,
    callback?: (ctx: ActivityExecutionContext<Input>) => unknown,
    options?: Omit<BookmarkOptions, 'name' | 'stimulus' | 'callback'>,
  ): BookmarkOptions {
    return { ...options, name: this.name, stimulus, callback: callback as BookmarkOptions['callback'] };
  }
}

/** One of any types. */
// oxlint-disable-next-line typescript/no-explicit-any -- the types are in both directions
export type AnyStimulusType = StimulusType<any, any>;

/**
 * Declares a stimulus, for the activity that waits for it and the code that sends it.
 * @param name stimulus name of the bookmarks, such as the type of the activity
 * @example export const Payment = stimulusType<{ orderId: string }, { amount: number }>('App.Payment');
 */
export function stimulusType<Stimulus, Input = Readonly<Record<string, unknown>>>(
  name: string,
): StimulusType<Stimulus, Input> {
  return new StimulusType<Stimulus, Input>(name);
}

/** The name of an event or stimulus that is given as a text or a type. */
export const nameOf = (named: string | { readonly name: string }): string =>
  typeof named === 'string' ? named : named.name;

/**
 * The name of a stimulus that is given as a text, a type, or the class of the activity whose type it is. A class has a `name`
 * as well, which is not its type: `ShipSighted`, not `App.ShipSighted`.
 */
export const stimulusNameOf = (named: Constructor | string | AnyStimulusType): string =>
  typeof named === 'function' ? activityTypeName(named) : nameOf(named);
