import { type ActivityExecutionContext, Input, Output, Trigger, TriggerBase } from '@waymark/core';
import { EVENT_PAYLOAD_INPUT, eventStimulus } from '../stimuli/event-publisher.js';

/** Waits for a named event; as a trigger, the event starts the workflow. */
@Trigger({
  type: 'Elsa.Event',
  category: 'Primitives',
  displayName: 'Event',
  description: 'Waits for a named event, or starts the workflow when the event is published.',
})
export class Event extends TriggerBase {
  /** Name of the event, case-sensitive. */
  @Input({ type: 'String', isNonBlank: true, description: 'Name of the event, case-sensitive.' })
  eventName!: string;

  /** Payload with which the event was published. */
  @Output({ type: 'Object', description: 'Payload with which the event was published.' })
  result?: unknown;

  getTriggerPayloads() {
    return [eventStimulus(this.eventName)];
  }

  execute(ctx: ActivityExecutionContext): unknown {
    if (ctx.isTriggerOfWorkflow()) return this.onEvent(ctx);
    return ctx.createBookmark({ stimulus: eventStimulus(this.eventName), callback: this.onEvent });
  }

  /** Called by the engine when the event was received. */
  onEvent(ctx: ActivityExecutionContext): unknown {
    this.result = ctx.workflow.getInput(EVENT_PAYLOAD_INPUT);
    return ctx.complete();
  }
}
