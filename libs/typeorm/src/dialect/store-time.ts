import type { StoreTime } from '@waymark/runtime/adapter';
import type { SqlValue } from '../database/statement.js';
import { time } from '../rows/column-values.js';
import type { Dialect } from './dialect.js';

/** A time in a statement: milliseconds since 1970. Its parameters are needed once for each time it is written. */
export interface SqlTime {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** The time by which a statement decides: the database's, unless another one is given. It is constant in one statement. */
export function sqlTime(dialect: Dialect, { now }: StoreTime): SqlTime {
  return now ? { sql: dialect.bigintParam, params: [time(now)] } : { sql: dialect.nowMs, params: [] };
}

/** That many milliseconds later, or earlier. */
export function shifted(dialect: Dialect, { sql, params }: SqlTime, ms: number): SqlTime {
  return { sql: `${sql} + ${dialect.bigintParam}`, params: [...params, ms] };
}
