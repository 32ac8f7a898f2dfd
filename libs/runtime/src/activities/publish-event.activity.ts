import { Activity, ActivityBase, type ActivityExecutionContext, Input } from '@waymark/core';
import { valueNow } from '@waymark/core/adapter';
import type { StimulusMessage } from '../bursts/messages.js';
import { given } from '../services/given-members.js';
import { requireStorableStimulus } from '../services/storable-requests.js';
import { EVENT_STIMULUS, eventMetadata, eventStimulus } from '../stimuli/event-publisher.js';

/** Publishes a named event. After the commit of this burst, the event starts and resumes the workflows that wait for it. */
@Activity({
  type: 'Elsa.PublishEvent',
  category: 'Primitives',
  description: 'Publishes a named event to workflows that wait for it or are started by it.',
})
export class PublishEvent extends ActivityBase {
  /** Name of the event. */
  @Input({ type: 'String', isNonBlank: true, description: 'Name of the event.' })
  eventName!: string;

  /** Only instances with this correlation id are resumed. */
  @Input({ type: 'String', description: 'Only instances with this correlation id are resumed.' })
  correlationId?: string | null;

  /** Only this instance is resumed, and nothing is started. */
  @Input({
    type: 'Boolean',
    displayName: 'Local event',
    description: 'Only this instance is resumed, and nothing is started.',
  })
  isLocalEvent?: boolean | null;

  /** Payload for the receivers. */
  @Input({ type: 'Object', description: 'Payload for the receivers.' })
  payload?: unknown;

  execute(ctx: ActivityExecutionContext): void {
    // An empty input addresses every instance, as in Elsa.
    const metadata = eventMetadata(
      given({
        correlationId: this.correlationId?.trim() ? this.correlationId : undefined,
        workflowInstanceId: this.isLocalEvent ? ctx.workflow.id : undefined,
        payload: valueNow(this.payload ?? undefined),
      }),
    );
    requireStorableStimulus(EVENT_STIMULUS, metadata);
    const payload: StimulusMessage = { name: EVENT_STIMULUS, stimulus: eventStimulus(this.eventName), metadata };
    ctx.workflow.send({ kind: 'stimulus', payload });
  }
}
