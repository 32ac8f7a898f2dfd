/**
 * How values cross between host and sandbox as text. The first character is one of
 *
 * | | rest | | rest |
 * |-|-|-|-|
 * | `s` | the text itself | `j` | JSON |
 * | `n` | number | `m` | JSON with marks |
 * | `b` | bigint | `t` `f` | true, false |
 * | `0` | null | `u` | undefined |
 * | `x` | JSON of an error | `p` | number of a promise |
 *
 * In JSON with marks an object with the one member {@link MARK} stands for what JSON lacks: `["d", ms]` Date,
 * `["b", text]` bigint, `["y", latin1]` bytes, `["n", text]` NaN and infinities, `["u"]` undefined, `["o", entries]` an
 * object with a member of that very name, `["c", object]` an object whose members are read in any casing, and as the
 * member of an object `["l", number]` bytes that the host keeps until they are read.
 */
export const MARK = '\u0001';

/** Deeper data would overflow the call stack of the sandbox; it is nearly always circular. */
export const MAX_DEPTH = 200;

/** Between the arguments of a call. */
export const SEPARATOR = '\u0001';
