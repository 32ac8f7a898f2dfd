import type { MisfirePolicy } from '../triggers/misfire-policy.js';
import type { OverlapPolicy } from '../triggers/overlap-policy.js';

/** Custom properties of a Timer, a Cron or a StartAt that starts workflows. */
export interface TimingCustomProperties {
  /** What happens to occurrences that were missed while no node ran. @default that of the option `scheduling.misfire` */
  readonly misfire?: MisfirePolicy | null | undefined;
  /** What happens to an occurrence while an instance of the previous one runs. @default 'allow' */
  readonly overlap?: OverlapPolicy | null | undefined;
  /** Each occurrence is later by a part of this time span, which stays the same: a text such as `00:05:00`, or milliseconds. @default none */
  readonly jitter?: string | number | null | undefined;
  /** First time at which it may fire. @default at once */
  readonly validFrom?: string | Date | null | undefined;
  /** Last time at which it may fire. @default without end */
  readonly validUntil?: string | Date | null | undefined;
}

declare module '@waymark/core' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- it adds its members to those of the engine
  interface ActivityCustomProperties extends TimingCustomProperties {}
}
