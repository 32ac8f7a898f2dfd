import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TokenService } from '@waymark/api';
import { type ExpressionScope, parseTimeSpan } from '@waymark/core';
import type { JavaScriptGlobal } from '@waymark/expressions';
import { WorkflowClock } from '@waymark/runtime';

/**
 * The JavaScript function `createEventTriggerUrl(eventName, lifetimeOrExpiry?)`: a URL that publishes the event to the
 * instance whose script made it, without credentials. Scripts are set up before the signer of URLs exists, so the
 * function asks for it when it is called.
 */
export class EventTriggerUrlFunction implements JavaScriptGlobal {
  readonly name = 'createEventTriggerUrl';
  private signer: EventTriggerUrls | undefined;

  /** @param baseUrl where clients reach the management API, e.g. `https://example.org/elsa/api` */
  constructor(readonly baseUrl: string) {}

  use(signer: EventTriggerUrls): void {
    this.signer = signer;
  }

  invoke(scope: ExpressionScope, eventName: unknown, lifetimeOrExpiry?: unknown): string {
    if (!this.signer) throw new Error('URLs can be made as soon as the application has started.');
    if (typeof eventName !== 'string' || eventName === '')
      throw new TypeError('createEventTriggerUrl needs the name of an event.');
    const token = this.signer.token(eventName, scope.facts.workflowInstanceId, lifetimeOrExpiry);
    return `${this.baseUrl}/events/trigger?t=${token}`;
  }
}

@Injectable()
export class EventTriggerUrls implements OnModuleInit {
  constructor(
    private readonly scriptFunction: EventTriggerUrlFunction,
    private readonly tokens: TokenService,
    private readonly clock: WorkflowClock,
  ) {}

  onModuleInit(): void {
    this.scriptFunction.use(this);
  }

  /** @param lifetimeOrExpiry a time span (`hh:mm:ss`) or a date; without it the URL never ends */
  token(eventName: string, workflowInstanceId: string, lifetimeOrExpiry: unknown): string {
    return this.tokens.forEvent({ eventName, workflowInstanceId }, this.expiry(lifetimeOrExpiry));
  }

  private expiry(given: unknown): Date | undefined {
    if (given === undefined || given === null) return undefined;
    if (given instanceof Date) return given;
    if (typeof given === 'string') {
      const lifetimeMs = parseTimeSpan(given);
      if (lifetimeMs !== undefined) return new Date(this.clock.now() + lifetimeMs);
      if (!Number.isNaN(Date.parse(given))) return new Date(given);
    }
    throw new TypeError('A URL lives for a time span such as "01:30:00", or until a date.');
  }
}
