/**
 * What happens to an occurrence while an instance still runs that the same trigger has started:
 * - `allow`: it starts another one
 * - `skip`: it is left out
 * - `queue`: it waits until that instance has ended
 * - `cancelPrevious`: that instance is cancelled first
 */
export const OverlapPolicy = {
  Allow: 'allow',
  Skip: 'skip',
  Queue: 'queue',
  CancelPrevious: 'cancelPrevious',
} as const;
export type OverlapPolicy = (typeof OverlapPolicy)[keyof typeof OverlapPolicy];

export function isOverlapPolicy(value: unknown): value is OverlapPolicy {
  return Object.values<unknown>(OverlapPolicy).includes(value);
}
