import type { Model } from './application.js';

export interface ConformanceGroup {
  readonly group: string;
  readonly cases: readonly { readonly name: string; run(context: unknown): Promise<void> }[];
}

/** Methods of a case's context that take definitions. */
const TAKE_DEFINITIONS = new Set(['run', 'runAndExpect', 'deploy', 'save', 'import', 'importFiles', 'saveDraft']);

class Enough extends Error {}

/**
 * The definitions that the black-box cases of a group send first. Each case runs against a context that only notes
 * them; it ends at the first thing that needs an answer.
 */
export async function definitionsOf({ cases }: ConformanceGroup): Promise<Model[]> {
  const found: Model[] = [];
  for (const { run } of cases) {
    try {
      await run(noting(found));
    } catch {
      // What a case does with answers is of no interest here.
    }
  }
  return found;
}

function noting(found: Model[]): unknown {
  let count = 0;
  const take = (value: unknown): unknown => {
    for (const model of [value].flat()) {
      if (!isModel(model)) throw new Enough();
      found.push(model);
    }
    // What is deployed is used by those that come after it.
    const models = [value].flat() as Model[];
    const deployed = models.map((model) => ({ version: 1, id: `${model.definitionId}:v1`, ...model }));
    return Promise.resolve(Array.isArray(value) ? deployed : deployed[0]);
  };
  const context: Record<string, unknown> = {
    id: (name = 'wf') => `${name}-noted`,
    typeName: (name = 'Child') => `${name}Noted${count++}`,
    path: (name = '') => `noted/${name}`,
    httpUrl: (name: string) => `http://127.0.0.1/workflows/${name}`,
    incident: (name: string, more: object = {}) =>
      Promise.resolve({ ...more, incidentStrategyType: `${name}Strategy` }),
    strategy: (_: string, name: string) => Promise.resolve(name),
    callback: () => Promise.resolve({ url: 'http://127.0.0.1/noted', requests: [] }),
    note: () => undefined,
  };
  return new Proxy(context, {
    get: (known, name: string) => {
      if (TAKE_DEFINITIONS.has(name)) return take;
      if (name in known) return known[name];
      return () => {
        throw new Enough();
      };
    },
  });
}

function isModel(value: unknown): value is Model {
  return typeof value === 'object' && value !== null && 'root' in value && 'definitionId' in value;
}
