import { TripInputError } from './travel-errors.js';

/** What a traveller sends. */
export interface TripRequest {
  readonly traveller: string;
  readonly destination: string;
}

/** @throws TripInputError */
export function readTripRequest(given: unknown): TripRequest {
  const { traveller, destination } = (typeof given === 'object' && given !== null ? given : {}) as Record<
    string,
    unknown
  >;
  if (!isText(traveller) || !isText(destination))
    throw new TripInputError('This is not a trip: "traveller" and "destination" must be texts that are not empty.');
  return { traveller, destination };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
