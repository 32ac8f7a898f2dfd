/** Where a clock has its time from. Tests, and nodes under torture, put others in their place. */
export interface TimeSources {
  /** Milliseconds since 1970 by the machine's clock. It may be set at any moment, forwards and backwards. */
  wall(): number;
  /** Milliseconds since any moment. Never set; it may stand still while a virtual machine is suspended. */
  monotonic(): number;
}

export const systemTime: TimeSources = { wall: () => Date.now(), monotonic: () => performance.now() };
