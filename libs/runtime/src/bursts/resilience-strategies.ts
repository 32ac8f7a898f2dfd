import { Injectable } from '@nestjs/common';

/** A resilience strategy, as editors offer it. Further members are shown unchanged. */
export interface ResilienceStrategyDescriptor {
  /** Id by which definitions refer to it. */
  readonly id: string;
  /** Name for people. */
  readonly displayName?: string;
}

/**
 * Holds the resilience strategies that activities may name, by category, e.g. `HTTP`. Libraries register the strategies that
 * they support.
 */
@Injectable()
export class ResilienceStrategies {
  private readonly byCategory = new Map<string, readonly ResilienceStrategyDescriptor[]>();

  /** Registers the strategies of a category, in place of earlier ones. */
  register(category: string, strategies: readonly ResilienceStrategyDescriptor[]): void {
    this.byCategory.set(category.toLowerCase(), strategies);
  }

  /** Lists the registered strategies. @param category in any casing @default all of them */
  list(category?: string): readonly ResilienceStrategyDescriptor[] {
    return category === undefined
      ? [...this.byCategory.values()].flat()
      : (this.byCategory.get(category.toLowerCase()) ?? []);
  }
}
