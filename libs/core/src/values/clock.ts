/** Source of the time. It is passed to the engine so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
}
