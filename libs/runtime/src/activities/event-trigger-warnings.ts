import { Injectable } from '@nestjs/common';
import type { StoredTrigger } from '../persistence/records.js';
import type { DefinitionProblem } from '../services/definition-services.js';
import { TriggerPayloadValidator } from '../services/trigger-services.js';
import { EVENT_STIMULUS } from '../stimuli/event-publisher.js';

/** Warns of an Event without a name, which only an event without a name would start. */
@Injectable()
export class EventTriggerWarnings extends TriggerPayloadValidator {
  readonly names = [EVENT_STIMULUS];

  validate(): DefinitionProblem[] {
    return [];
  }

  override warn({ payload, activityId }: StoredTrigger): DefinitionProblem[] {
    const { eventName } = payload as { eventName?: unknown };
    if (typeof eventName === 'string' && eventName.trim() !== '') return [];
    return [
      {
        message: `Event '${activityId}' never starts a workflow: the name of its event is empty. Publish it with one.`,
        activityId,
      },
    ];
  }
}
