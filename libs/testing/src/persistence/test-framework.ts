/** The part of a test runner that the contract suites use. Jest's and Vitest's globals both fit. */
export interface TestFramework {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>, timeoutMs?: number): void;
  beforeAll(body: () => Promise<void>, timeoutMs?: number): void;
  afterAll(body: () => Promise<void>, timeoutMs?: number): void;
  readonly expect: {
    (value: unknown): any;
    stringContaining(text: string): unknown;
    objectContaining(members: object): unknown;
  };
}

/** The runner's globals. @throws Error when there are none: pass the functions instead */
export function globalTestFramework(): TestFramework {
  const found = globalThis as unknown as Partial<TestFramework>;
  const { describe, it, beforeAll, afterAll, expect } = found;
  if (!describe || !it || !beforeAll || !afterAll || !expect) {
    throw new Error(
      'No test runner globals found. Pass { describe, it, beforeAll, afterAll, expect } as the last argument.',
    );
  }
  return { describe, it, beforeAll, afterAll, expect };
}
