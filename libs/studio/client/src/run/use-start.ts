import { useCallback, useRef } from 'react';
import { toApiError } from '../api/api-error.js';
import { dispatchWorkflow, type StartRequest } from '../api/runtime.js';
import { newKey } from '../api/new-key.js';

/** A start without an answer that says whether it was done. */
interface Asked {
  readonly request: string;
  readonly of: unknown;
  readonly instanceId: string;
}

/**
 * Starts workflows; each press of the button is a start of its own, except after an answer that was lost: the same request again names
 * the same instance, of which there is one, however often it is asked for.
 * @returns the start. `of` is what is started, where that can change without its id
 */
export function useStart(): (definitionId: string, start: StartRequest, of?: unknown) => Promise<string> {
  const lost = useRef<Asked>(undefined);
  return useCallback(async (definitionId, start, of) => {
    const request = JSON.stringify([definitionId, start]);
    const before = lost.current;
    const instanceId = before?.request === request && before.of === of ? before.instanceId : newKey();
    lost.current = undefined;
    try {
      return await dispatchWorkflow(definitionId, { ...start, instanceId });
    } catch (error) {
      // Anything else is the word of the server that nothing was started.
      if (toApiError(error).isOutage) lost.current = { request, of, instanceId };
      throw error;
    }
  }, []);
}
