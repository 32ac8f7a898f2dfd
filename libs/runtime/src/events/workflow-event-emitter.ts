import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { isPromiseLike, readableError, toErrorLike } from '@waymark/core/adapter';
import type { WorkflowEvent } from './workflow-events.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Emits events after a commit. The failure of a listener is logged and does not affect the engine or other listeners. */
@Injectable()
export class WorkflowEventEmitter {
  private readonly logger = new WorkflowLogger('WorkflowEvents');

  constructor(private readonly emitter: EventEmitter2) {}

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
          return Promise.resolve(waiting)
            .catch((error: unknown) => this.failed(listener, event, error))
            .then(() => this.call(listeners, index + 1, event, payload));
      } catch (error) {
        this.failed(listener, event, error);
      }
    }
  }

  private failed({ name }: Listener, event: WorkflowEvent, error: unknown): void {
    // What fails when it is read must not keep the event from the other listeners, nor fail the commit's caller.
    const { stack, message } = toErrorLike(readableError(error));
    this.logger.error(`Listener ${name || '(anonymous)'} of ${event} failed: ${stack ?? message}`);
  }
}

type Listener = (payload: object) => unknown;
