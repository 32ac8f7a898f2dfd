import type { WorkflowPersistence } from '@waymark/runtime';
import type { TestFramework } from '../test-framework.js';

/** What each part of the contract suite works with. */
export interface ContractContext {
  readonly framework: TestFramework;
  /** The store under test. */
  readonly store: WorkflowPersistence;
  /** The same store as another node sees it; `store` itself for one that lives in a single process. */
  readonly otherNode: WorkflowPersistence;
}

/** Counts how concurrent attempts ended: `fulfilled`, or the code of the error. */
export async function outcomes(attempts: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(attempts)) {
    const key = result.status === 'fulfilled' ? 'fulfilled' : codeOf(result.reason);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

function codeOf(error: { code?: string; message?: string }): string {
  return error.code ?? String(error.message);
}
