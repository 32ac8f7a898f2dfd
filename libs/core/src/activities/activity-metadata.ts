import type { ActivityOptions, Constructor, InputOptions, OutputOptions, PortOptions } from './decorators.js';

/** What decorators wrote on one class (not on its base classes). */
export interface ActivityMetadata {
  activity?: ActivityOptions;
  readonly inputs: Map<string, InputOptions>;
  readonly outputs: Map<string, OutputOptions>;
  readonly ports: Map<string, PortOptions>;
  readonly childLists: Set<string>;
}

// A registered symbol on the class itself, not a module-level map: two copies of this package see the same metadata.
const KEY = Symbol.for('@waymark/core:activity');
type Holder = { [KEY]?: ActivityMetadata };

export function metadataOf(target: Constructor): ActivityMetadata {
  if (!Object.hasOwn(target, KEY)) {
    const fresh: ActivityMetadata = { inputs: new Map(), outputs: new Map(), ports: new Map(), childLists: new Set() };
    Object.defineProperty(target, KEY, { value: fresh });
  }
  return (target as Holder)[KEY]!;
}

/** Metadata of the class and its bases, base classes first. */
export function metadataChain(target: Constructor): readonly ActivityMetadata[] {
  const chain: ActivityMetadata[] = [];
  for (let c: Constructor | null = target; typeof c === 'function'; c = Object.getPrototypeOf(c) as Constructor | null)
    if (Object.hasOwn(c, KEY)) chain.unshift((c as Holder)[KEY]!);
  return chain;
}

/** True when the class itself carries `@Activity` or `@Trigger`. */
export function isActivityClass(target: unknown): target is Constructor {
  return typeof target === 'function' && Object.hasOwn(target, KEY) && (target as Holder)[KEY]!.activity !== undefined;
}
