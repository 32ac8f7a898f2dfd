/** The provider has nothing left. To ask again would not help. */
export class NothingAvailableError extends Error {
  override readonly name = 'NothingAvailableError';
}

/** What came in is not a request for a trip. Nothing has happened. */
export class TripInputError extends Error {
  override readonly name = 'TripInputError';
}
