import type { Statement } from '../database/statement.js';
import { Conditions } from './conditions.js';
import type { Dialect } from './dialect.js';

/** To be put behind a condition: or a claim of the owner that it does not know of, because its answer was lost. */
export function lostClaims(dialect: Dialect, owner: string, held: readonly string[]): Statement {
  const known = new Conditions(dialect).noneOf('id', held);
  return { sql: ` OR (claimed_by = ?${known.where.replace(' WHERE ', ' AND ')})`, params: [owner, ...known.params] };
}
