import type { ActivityNode } from '../graph/activity-node.js';
import type { NodeReader } from '../graph/child-reader.js';
import { WildcardPatterns } from '../values/wildcards.js';

/** One catch of a Try, compiled. */
export interface CatchBranch {
  /** Codes and names of errors, with wildcards; undefined: all of them. */
  readonly errors: WildcardPatterns | undefined;
  /** The same as the definition has them. */
  readonly names: readonly string[];
  readonly activity: ActivityNode | undefined;
}

/** Reads `catches` from the definition: `{ errors: ['WM5012', 'Payment*'], activity }`. */
export function readCatches(json: unknown, reader: NodeReader): CatchBranch[] {
  if (!Array.isArray(json)) return [];
  return (json as Record<string, unknown>[])
    .filter((item) => typeof item === 'object' && item !== null)
    .map((item, i) => {
      const errors = Array.isArray(item.errors) ? item.errors.map(String) : [];
      const patterns = errors.length === 0 ? undefined : new WildcardPatterns(errors);
      return {
        errors: patterns,
        names: errors,
        activity: reader.child(item.activity, errors.join(', ') || `Catch ${i + 1}`),
      };
    });
}
