import { Injectable } from '@nestjs/common';

/** A way to try work again, as editors offer it: members beyond these are shown as they are. */
export interface ResilienceStrategyDescriptor {
  /** By which definitions name it. */
  readonly id: string;
  /** Name for people. */
  readonly displayName?: string;
}

/** What activities may name to be tried again, by category, e.g. `HTTP`. Libraries that read it register what they know. */
@Injectable()
export class ResilienceStrategies {
  private readonly byCategory = new Map<string, readonly ResilienceStrategyDescriptor[]>();

  /** Replaces what the category had. */
  register(category: string, strategies: readonly ResilienceStrategyDescriptor[]): void {
    this.byCategory.set(category.toLowerCase(), strategies);
  }

  /** What is registered. @param category in any casing @default all of them */
  list(category?: string): readonly ResilienceStrategyDescriptor[] {
    return category === undefined
      ? [...this.byCategory.values()].flat()
      : (this.byCategory.get(category.toLowerCase()) ?? []);
  }
}
