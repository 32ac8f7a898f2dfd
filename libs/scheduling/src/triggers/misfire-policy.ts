/**
 * What happens to occurrences that passed while no node was running (or none had the time):
 * - `skip`: they are left out; the next one after now fires
 * - `once`: one firing stands for all of them, then the next one after now
 * - `all`: each of them fires, one after the other
 */
export const MisfirePolicy = { Skip: 'skip', Once: 'once', All: 'all' } as const;
export type MisfirePolicy = (typeof MisfirePolicy)[keyof typeof MisfirePolicy];

export function isMisfirePolicy(value: unknown): value is MisfirePolicy {
  return Object.values<unknown>(MisfirePolicy).includes(value);
}
