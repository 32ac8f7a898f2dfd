import { Injectable } from '@nestjs/common';
import type { CustomPropertyRule } from '@waymark/core/adapter';
import { CommitStrategies } from '../bursts/commit-strategies.js';

/**
 * Says which custom properties of activities a library reads. Publishing warns of those that differ from them in a letter, have a value
 * that is not read, or have no effect on their activity. All providers that extend it are asked.
 */
export abstract class CustomPropertyRules {
  /** The custom properties. */
  abstract readonly rules: readonly CustomPropertyRule[];
}

/** `commitStrategyName`. The workflow's is an option of it. */
@Injectable()
export class CommitStrategyRules extends CustomPropertyRules {
  readonly rules: readonly CustomPropertyRule[];

  constructor({ activities }: CommitStrategies) {
    super();
    const names = activities.map(({ name }) => name);
    const adviceOnValue = (value: unknown) => (names.includes(value as string) ? undefined : names.join(', '));
    this.rules = [{ name: 'commitStrategyName', adviceOnValue }];
  }
}
