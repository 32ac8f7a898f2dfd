/** What both sides of suspend-resume are asked, beside `seed` with a number of waiting instances. */
export interface LoopRequest {
  readonly concurrency: number;
  readonly seconds: number;
}

/** Stored text of an instance's state, while it waits and when it is finished. */
export interface StateSample {
  readonly waiting: string;
  readonly finished: string;
}
