import { Cron } from './cron.js';
import { Delay } from './delay.js';
import { StartAt } from './start-at.js';
import { Timer } from './timer.js';

/** The time-based activities, to be registered as providers. */
export const schedulingActivities = [Delay, Timer, Cron, StartAt] as const;
