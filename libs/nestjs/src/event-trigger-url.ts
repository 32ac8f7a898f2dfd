import { parseTimeSpan } from '@waymark/core/adapter';
import type { JavaScriptGlobal } from '@waymark/expressions';
import type { SignedUrls, UrlLifetime } from '@waymark/runtime';

/**
 * The JavaScript function `createEventTriggerUrl(eventName, lifetimeOrExpiry?)`: for the instance whose script calls it. Definitions of
 * Elsa mean `48:00:00` as .NET reads it: 48 days.
 */
export function createEventTriggerUrl(urls: SignedUrls): JavaScriptGlobal {
  return {
    name: 'createEventTriggerUrl',
    invoke(scope, eventName, lifetimeOrExpiry) {
      if (typeof eventName !== 'string' || eventName === '')
        throw new TypeError('createEventTriggerUrl needs the name of an event.');
      return urls.forEvent(
        eventName,
        scope.facts.workflowInstanceId,
        (asSpan(lifetimeOrExpiry) ?? lifetimeOrExpiry) as UrlLifetime,
      );
    },
  };
}

const asSpan = (value: unknown): number | undefined => (typeof value === 'string' ? parseTimeSpan(value) : undefined);
