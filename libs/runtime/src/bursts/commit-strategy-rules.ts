import { Injectable } from '@nestjs/common';
import type { CustomPropertyRule } from '@waymark/core/adapter';
import { CustomPropertyRules } from '../definitions/custom-property-rules.js';
import { CommitStrategies } from './commit-strategies.js';

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
