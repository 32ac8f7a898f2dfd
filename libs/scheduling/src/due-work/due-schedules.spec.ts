import { MemoryPersistence, type MissingCode } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { MessageConsumedError, type OutboxProcessor, type ScheduledRequests } from '@waymark/runtime/adapter';
import { resolveSchedulingOptions } from '../module/scheduling-options.js';
import type { ScheduleStarts } from '../schedules/schedule-starts.js';
import { atInterval } from '../schedules/schedule-times.js';
import type { Attendance } from './attendance.js';
import { DueSchedules } from './due-schedules.js';
import { ScheduleClaims } from './schedule-claims.js';

describe('DueSchedules', () => {
  it('has fired an occurrence that it has claimed, also where another node runs the instance', async () => {
    const persistence = new MemoryPersistence();
    const starts = { isFor: () => true, start: () => Promise.reject(new MessageConsumedError('run')) };
    const claims = new ScheduleClaims(
      persistence,
      {} as ScheduledRequests,
      starts as unknown as ScheduleStarts,
      {} as OutboxProcessor,
      resolveSchedulingOptions({}),
    );
    const schedules = new DueSchedules(
      persistence,
      claims,
      starts as unknown as ScheduleStarts,
      {} as MissingCode,
      {} as OutboxProcessor,
      new VirtualClock(),
      {} as Attendance,
    );
    const now = Date.parse('2026-03-01T08:00:00Z');
    const times = atInterval('s', '01:00:00', { overlap: 'skip' }, now);
    const schedule = {
      ...times,
      dueAt: times.dueAt!,
      id: 's',
      token: 't',
      request: {},
      createdAt: new Date(now),
      seenAt: now,
      attendedSince: now,
    };
    await expect(schedules.fire(schedule)).resolves.toEqual(new Date(now + 2 * 3_600_000));
  });
});
