/** Sources of time of a clock. Tests replace them. */
export interface TimeSources {
  /** Milliseconds since 1970 by the machine's clock. It may be set at any moment, forwards and backwards. */
  wall(): number;
  /** Milliseconds since an arbitrary moment. It is never set; it may stop while a virtual machine is suspended. */
  monotonic(): number;
}

export const systemTime: TimeSources = { wall: () => Date.now(), monotonic: () => performance.now() };
