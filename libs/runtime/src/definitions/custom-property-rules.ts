import type { CustomPropertyRule } from '@waymark/core/adapter';

/**
 * Says which custom properties of activities a library reads. Publishing warns of those that differ from them in a letter, have a value
 * that is not read, or have no effect on their activity. All providers that extend it are asked.
 */
export abstract class CustomPropertyRules {
  /** The custom properties. */
  abstract readonly rules: readonly CustomPropertyRule[];
}
