import type { ActivityNode } from '@waymark/core';
import type { MisfirePolicy } from '../triggers/misfire-policy.js';

/** The custom property `misfire` of an activity, for its payload; whether the value is one is for the validator to say. */
export function misfireOf({ customProperties }: ActivityNode): { misfire?: MisfirePolicy } {
  const { misfire } = customProperties as { misfire?: MisfirePolicy };
  return misfire == null ? {} : { misfire };
}
