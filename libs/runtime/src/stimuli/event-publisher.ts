import { nameOf } from '../services/typed-stimuli.js';
import { Injectable } from '@nestjs/common';
import { sha256 } from '../engine/identity.js';
import {
  IEventPublisher,
  IStimulusDispatcher,
  IStimulusSender,
  ITaskReporter,
  type PublishEventOptions,
  type SendStimulusResult,
  type StimulusMetadata,
} from '../services/stimulus-services.js';

/** Stimulus names and input keys of events and tasks; the keys are those of Elsa, so that its definitions read them. */
export const EVENT_STIMULUS = 'Elsa.Event';
/** Input of a resumed or started instance that has the payload of the event. */
export const EVENT_PAYLOAD_INPUT = '__EventPayloadWorkflowInput';
export const RUN_TASK_STIMULUS = 'Elsa.RunTask';
export const RUN_TASK_INPUT = 'RunTaskInput';

export function eventStimulus(eventName: string): { eventName: string } {
  return { eventName };
}

export function eventMetadata({ payload, ...rest }: PublishEventOptions): StimulusMetadata {
  return { ...rest, input: payload === undefined ? undefined : { [EVENT_PAYLOAD_INPUT]: payload } };
}

/**
 * The options with a key that is of this event only. An application may have one for several events, such as the id of an order; of stimuli
 * with the same key that nothing waits for, only one is kept.
 */
export function withOwnKey<T extends PublishEventOptions>(eventName: string, options: T): T {
  const { idempotencyKey } = options;
  if (!idempotencyKey) return options;
  const ofName = sha256(eventName).slice(0, NAME_DIGEST_LENGTH).toLowerCase();
  return { ...options, idempotencyKey: `${idempotencyKey}/${ofName}` };
}

const NAME_DIGEST_LENGTH = 16;

/** An event by its name, or by its type. */
type Named = string | { readonly name: string };

@Injectable()
export class EventPublisher extends IEventPublisher {
  constructor(
    private readonly sender: IStimulusSender,
    private readonly dispatcher: IStimulusDispatcher,
  ) {
    super();
  }

  publish(event: Named, options: PublishEventOptions = {}): Promise<SendStimulusResult> {
    const name = nameOf(event);
    return this.sender.send(EVENT_STIMULUS, eventStimulus(name), eventMetadata(withOwnKey(name, options)));
  }

  dispatch(event: Named, options: Omit<PublishEventOptions, 'transient'> = {}): Promise<void> {
    const name = nameOf(event);
    return this.dispatcher.dispatch(EVENT_STIMULUS, eventStimulus(name), eventMetadata(withOwnKey(name, options)));
  }
}

@Injectable()
export class TaskReporter extends ITaskReporter {
  constructor(private readonly sender: IStimulusSender) {
    super();
  }

  /** A task is reported once: the same id again finds no bookmark and is kept under the same key. */
  async reportCompletion(taskId: string, result?: unknown): Promise<void> {
    await this.sender.send(
      RUN_TASK_STIMULUS,
      { taskId },
      { input: { [RUN_TASK_INPUT]: result ?? null }, idempotencyKey: `task:${taskId}` },
    );
  }
}
