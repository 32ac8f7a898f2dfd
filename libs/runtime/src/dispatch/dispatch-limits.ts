import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../module/runtime-options.js';

/** How many dispatched instances of each definition run on this node, where the host limits them. */
@Injectable()
export class DispatchLimits {
  private readonly running = new Map<string, number>();
  private readonly limits: ReadonlyMap<string, number>;

  constructor(@Inject(RUNTIME_OPTIONS) { dispatchLimits }: ResolvedRuntimeOptions) {
    this.limits = new Map(Object.entries(dispatchLimits));
  }

  get areSet(): boolean {
    return this.limits.size > 0;
  }

  /** Returns whether there was a place; without one the task is not run. */
  async run(definitionId: string, task: () => Promise<void>): Promise<boolean> {
    const limit = this.limits.get(definitionId);
    const running = this.running.get(definitionId) ?? 0;
    if (limit !== undefined && running >= limit) return false;
    this.running.set(definitionId, running + 1);
    try {
      await task();
      return true;
    } finally {
      this.running.set(definitionId, this.running.get(definitionId)! - 1);
    }
  }
}
