/** Answer of `a?.b` when `a` is nothing: the rest of the chain is skipped. */
export const SKIPPED = Symbol('skipped');
