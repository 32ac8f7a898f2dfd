import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { isPromiseLike, readableError, toErrorLike } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import type { WorkflowEvent } from './workflow-events.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** How long a listener is waited for. */
const LIMIT_MS = 30_000;

/** Emits events after a commit. The failure of a listener is logged and does not affect the engine or other listeners. */
@Injectable()
export class WorkflowEventEmitter {
  private readonly logger = new WorkflowLogger('WorkflowEvents');

  constructor(
    private readonly emitter: EventEmitter2,
    private readonly clock: WorkflowClock,
  ) {}

  /** Returns false if nothing listens, so the event need not be created. */
  isHeard(event: WorkflowEvent): boolean {
    return Boolean(this.emitter.hasListeners(event));
  }

  /**
   * Listens to an event until the returned function is called. For temporary listeners, as an event without listeners costs nothing; and
   * for those of the libraries that each burst calls: one with `@OnEvent` is asynchronous, and each burst would wait for each of them.
   * @param listener a promise that it returns is waited for
   */
  listen<T extends object>(event: WorkflowEvent, listener: (payload: T) => unknown): () => void {
    this.emitter.on(event, listener);
    return () => void this.emitter.off(event, listener);
  }

  /**
   * Resolves when every listener has completed, so that routes and schedules are up to date before the caller continues.
   * Synchronous if there is nothing to wait for.
   */
  emit(event: WorkflowEvent, payload: object): void | Promise<void> {
    // A copy: one that stops listening meanwhile, as after `once`, would move the others, and the next of them would be left out.
    const listeners = this.emitter.listeners(event).slice() as Listener[];
    return this.call(listeners, 0, event, payload);
  }

  /** @param from index of the first one that has not been called yet */
  private call(
    listeners: readonly Listener[],
    from: number,
    event: WorkflowEvent,
    payload: object,
  ): void | Promise<void> {
    for (let index = from; index < listeners.length; index++) {
      const listener = listeners[index]!;
      try {
        const waiting = listener(payload);
        if (isPromiseLike(waiting))
          return this.inTime(listener, event, waiting).then(() => this.call(listeners, index + 1, event, payload));
      } catch (error) {
        this.failed(listener, event, error);
      }
    }
  }

  /**
   * The log names it then (`WM1055`). A burst that waited without end would keep its instance and its message, a publish its client, and a
   * look at what other nodes changed would be the last one.
   */
  private inTime(listener: Listener, event: WorkflowEvent, waiting: PromiseLike<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.logger.warn(
          `WM1055: ${named(listener)} of ${event} has not completed within ${LIMIT_MS / 1000} s; the others are called without ` +
            'waiting for it any longer. Give its calls a time limit, or do not await them.',
        );
        resolve();
      };
      // A process that is closed does not wait for a listener of the application.
      const cancel = this.clock.setTimer(giveUp, LIMIT_MS, { holdsProcess: false });
      void Promise.resolve(waiting)
        .then(undefined, (error: unknown) => this.failed(listener, event, error))
        .then(() => {
          cancel();
          resolve();
        });
    });
  }

  private failed(listener: Listener, event: WorkflowEvent, error: unknown): void {
    // What fails when it is read must not keep the event from the other listeners, nor fail the commit's caller.
    const { stack, message } = toErrorLike(readableError(error));
    this.logger.error(`${capitalized(named(listener))} of ${event} failed: ${stack ?? message}`);
  }
}

type Listener = (payload: object) => unknown;

/** Methods with `@OnEvent()` have no name here: Nest wraps them. The event finds them in the code of the application. */
const named = ({ name }: Listener): string => (name ? `the listener '${name}'` : 'a listener');
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
