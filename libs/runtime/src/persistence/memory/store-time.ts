import { systemTime } from '../../clock/time-sources.js';
import type { StoreTime } from '../message-stores.js';

/** Memory has no other clock than that of its process. */
export function timeOf({ now }: StoreTime): number {
  return now ? now.getTime() : systemTime.wall();
}
