import { nameOf } from '../services/typed-stimuli.js';
import { Injectable } from '@nestjs/common';
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
    return this.sender.send(EVENT_STIMULUS, eventStimulus(nameOf(event)), eventMetadata(options));
  }

  dispatch(event: Named, options: Omit<PublishEventOptions, 'transient'> = {}): Promise<void> {
    return this.dispatcher.dispatch(EVENT_STIMULUS, eventStimulus(nameOf(event)), eventMetadata(options));
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
