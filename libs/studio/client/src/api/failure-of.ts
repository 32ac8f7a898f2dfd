import { ApiError } from './api-error.js';

/** What is known of a question to the server. */
interface Asked {
  readonly data: unknown;
  readonly error: Error | null;
}

/**
 * The failure to show in the place of data. None while there is data and the server cannot be asked: a list, or a form that is being
 * filled in, must not vanish because one of the questions that repeat by themselves found no answer. The frame says that it is old.
 */
export function failureOf({ data, error }: Asked): Error | undefined {
  if (error === null) return undefined;
  return data !== undefined && isOutage(error) ? undefined : error;
}

/** Whether it says nothing about what was asked for: nothing answered, or something that cannot know. */
export const isOutage = (error: unknown): boolean => error instanceof ApiError && error.isOutage;
