/** See count-tests.mjs. */
export function testTotals(files: readonly string[]): { readonly lines: readonly string[]; readonly ok: boolean };
