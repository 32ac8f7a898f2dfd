export declare function passedLimits(
  costs: readonly { readonly name: string; readonly seconds: number }[],
  slowness: number,
): string[];
export declare function measureSlowness(): number;
