import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { readableError, toErrorLike } from '@waymark/core/adapter';
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
   * Listens to an event until the returned function is called. For temporary listeners: an event without listeners costs
   * nothing, while `@OnEvent` listens for as long as the application runs.
   */
  listen<T extends object>(event: WorkflowEvent, listener: (payload: T) => void): () => void {
    this.emitter.on(event, listener);
    return () => void this.emitter.off(event, listener);
  }

  /**
   * Resolves when every listener has completed, so that routes and schedules are up to date before the caller continues.
   * Synchronous if there are no listeners.
   */
  emit(event: WorkflowEvent, payload: object): void | Promise<void> {
    const listeners = this.emitter.listeners(event) as ((payload: object) => unknown)[];
    return listeners.length ? this.call(listeners, event, payload) : undefined;
  }

  private async call(
    listeners: readonly ((payload: object) => unknown)[],
    event: WorkflowEvent,
    payload: object,
  ): Promise<void> {
    for (const listener of listeners) {
      try {
        await listener(payload);
      } catch (error) {
        // What fails when it is read must not keep the event from the other listeners, nor fail the commit's caller.
        const { stack, message } = toErrorLike(readableError(error));
        this.logger.error(`Listener ${listener.name || '(anonymous)'} of ${event} failed: ${stack ?? message}`);
      }
    }
  }
}
