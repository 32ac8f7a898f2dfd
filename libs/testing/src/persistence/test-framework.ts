/** The part of a test runner that the contract suites use. Jest's and Vitest's globals both fit. */
export interface TestFramework {
  /** Groups tests. */
  describe(name: string, body: () => void): void;
  /** Defines a test. */
  it(name: string, body: () => Promise<void>, timeoutMs?: number): void;
  /** Runs before the tests of a group. */
  beforeAll(body: () => Promise<void>, timeoutMs?: number): void;
  /** Runs after the tests of a group. */
  afterAll(body: () => Promise<void>, timeoutMs?: number): void;
  /** Asserts. */
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
