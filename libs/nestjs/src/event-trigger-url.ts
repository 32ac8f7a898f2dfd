import type { JavaScriptGlobal } from '@waymark/expressions';
import type { SignedUrls, UrlLifetime } from '@waymark/runtime';

/** The JavaScript function `createEventTriggerUrl(eventName, lifetimeOrExpiry?)`: for the instance whose script calls it. */
export function createEventTriggerUrl(urls: SignedUrls): JavaScriptGlobal {
  return {
    name: 'createEventTriggerUrl',
    invoke(scope, eventName, lifetimeOrExpiry) {
      if (typeof eventName !== 'string' || eventName === '')
        throw new TypeError('createEventTriggerUrl needs the name of an event.');
      return urls.forEvent(eventName, scope.facts.workflowInstanceId, lifetimeOrExpiry as UrlLifetime);
    },
  };
}
