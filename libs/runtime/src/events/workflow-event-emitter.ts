import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { readableError, toErrorLike } from '@waymark/core/adapter';
import type { WorkflowEvent } from './workflow-events.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Emits events after a commit. A listener that fails is logged and changes nothing for the engine or other listeners. */
@Injectable()
export class WorkflowEventEmitter {
  private readonly logger = new WorkflowLogger('WorkflowEvents');

  constructor(private readonly emitter: EventEmitter2) {}

  /** False: there is no listener, and what would be emitted need not be made. */
  isHeard(event: WorkflowEvent): boolean {
    return Boolean(this.emitter.hasListeners(event));
  }

  /**
   * Hears an event until the returned function is called. For what listens now and then: an event that is not heard costs
   * nothing, and `@OnEvent` hears it for as long as the application runs.
   */
  listen<T extends object>(event: WorkflowEvent, listener: (payload: T) => void): () => void {
    this.emitter.on(event, listener);
    return () => void this.emitter.off(event, listener);
  }

  /** Resolves when every listener has: routes and schedules follow before the caller goes on. Synchronous without any. */
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
