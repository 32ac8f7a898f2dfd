import { isDate } from 'node:util/types';
import { bailOut } from './bail-out.js';
import type { Method } from './intrinsics.js';

/** Local time before 1970 has offsets of seconds, in which engines differ. */
function reading(read: (date: Date) => number | string, isLocal = false): Method {
  return (receiver, args) => {
    if (!isDate(receiver) || args.length > 0) return bailOut();
    // A copy: own members of a date of the host do not count.
    const date = new Date(Date.prototype.getTime.call(receiver));
    const ms = date.getTime();
    return Number.isNaN(ms) || (isLocal && ms < 0) ? bailOut() : read(date);
  };
}

/** Reads of dates that are the same in every engine. Writes are not: they would change what the script holds. */
export const dateMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['getTime', reading((d) => d.getTime())],
  ['toISOString', reading((d) => d.toISOString())],
  ['toJSON', reading((d) => d.toISOString())],
  ['getUTCFullYear', reading((d) => d.getUTCFullYear())],
  ['getUTCMonth', reading((d) => d.getUTCMonth())],
  ['getUTCDate', reading((d) => d.getUTCDate())],
  ['getUTCDay', reading((d) => d.getUTCDay())],
  ['getUTCHours', reading((d) => d.getUTCHours())],
  ['getUTCMinutes', reading((d) => d.getUTCMinutes())],
  ['getUTCSeconds', reading((d) => d.getUTCSeconds())],
  ['getUTCMilliseconds', reading((d) => d.getUTCMilliseconds())],
  ['getFullYear', reading((d) => d.getFullYear(), true)],
  ['getMonth', reading((d) => d.getMonth(), true)],
  ['getDate', reading((d) => d.getDate(), true)],
  ['getDay', reading((d) => d.getDay(), true)],
  ['getHours', reading((d) => d.getHours(), true)],
  ['getMinutes', reading((d) => d.getMinutes(), true)],
  ['getSeconds', reading((d) => d.getSeconds(), true)],
  ['getMilliseconds', reading((d) => d.getMilliseconds(), true)],
]);
