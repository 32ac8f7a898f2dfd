import { describe, expect, it } from '@jest/globals';
import type { StoredTrigger } from '../persistence/records.js';
import { triggerChange } from './trigger-indexer.js';
import { succeed } from './trigger-succession.js';

const DUE = new Date('2026-03-01T11:00:00Z');
const LATER = new Date('2026-03-02T10:00:00Z');
const PAUSED = { at: new Date('2026-03-01T09:00:00Z'), dueAt: DUE };
const lastFiring = { dueAt: PAUSED.at, firedAt: PAUSED.at, result: 'Started' as const };

const row = (id: string, payload: object, more: Partial<StoredTrigger> = {}): StoredTrigger => ({
  id,
  workflowDefinitionId: 'w',
  workflowDefinitionVersionId: 'w-1',
  name: 'Elsa.Timer',
  activityId: 'T',
  hash: JSON.stringify(payload),
  payload,
  dueAt: id === 'old' ? DUE : LATER,
  ...more,
});
const TIMER = { interval: '1.00:00:00' };
const CRON = { cronExpression: '0 3 * * *', timeZone: 'Europe/Vilnius' };
const ONCE = { executeAt: new Date('2026-03-01T10:30:00Z') };
const follow = (added: StoredTrigger, ...removed: StoredTrigger[]) => succeed([added], removed, new Map());

describe('a trigger that is published again', () => {
  it.each([
    ['a timer with another overlap', TIMER, { ...TIMER, overlap: 'skip' }],
    ['a timer with another misfire', { ...TIMER, misfire: 'all' }, { ...TIMER, misfire: 'once' }],
    [
      'a timer with a later end',
      { ...TIMER, validUntil: '2026-03-01T12:00:00Z' },
      { ...TIMER, validUntil: '2027-01-01' },
    ],
    ['a timer with an end for the first time', TIMER, { ...TIMER, validUntil: '2026-03-01T11:00:00Z' }],
    ['a cron with another overlap', CRON, { ...CRON, overlap: 'queue' }],
    ['a jitter with the same share', { ...CRON, jitter: '60s', jitterMs: 4 }, { ...CRON, jitter: '1m', jitterMs: 4 }],
  ])('keeps id, due time and last firing with the same times: %s', (_, before, now) => {
    const old = row('old', before, { lastFiring });
    const { added, replaced, removed } = follow(row('new', now), old);
    expect(added).toEqual([row('new', now, { id: 'old', dueAt: DUE, lastFiring })]);
    expect([replaced, removed]).toEqual([[old], []]);
  });

  it.each([
    ['another interval', TIMER, { interval: '2.00:00:00' }],
    ['another zone', CRON, { ...CRON, timeZone: 'UTC' }],
    ['another share of the jitter', { ...TIMER, jitterMs: 4 }, { ...TIMER, jitterMs: 5 }],
    ['another beginning', TIMER, { ...TIMER, validFrom: '2026-02-01' }],
    ['another kind', TIMER, CRON],
  ])('begins anew with %s', (_, before, now) => {
    const [old, added] = [row('old', before), row('new', now)];
    expect(follow(added, old)).toEqual({ added: [added], replaced: [], removed: [old] });
  });

  it('has no time any more if its end is before it', () => {
    const { added } = follow(row('new', { ...TIMER, validUntil: '2026-03-01T10:59:59Z' }), row('old', TIMER));
    expect(added).toMatchObject([{ id: 'old', dueAt: null }]);
  });

  it('has its last time earlier if its end shortens the jitter of it', () => {
    const [jitter, end] = [{ jitter: '10m', jitterMs: 240_000 }, new Date('2026-03-01T10:58:00Z')];
    const now = { ...CRON, ...jitter, validUntil: end.toISOString() };
    const { added } = follow(row('new', now, { dueAt: end }), row('old', { ...CRON, ...jitter }, { lastFiring }));
    expect(added).toMatchObject([{ id: 'old', dueAt: end, lastFiring }]);
  });

  it('continues after its end if it has a later one', () => {
    const old = row('old', { ...TIMER, validUntil: '2026-03-01T10:00:00Z' }, { dueAt: null, lastFiring });
    expect(follow(row('new', TIMER), old).added).toMatchObject([{ id: 'old', dueAt: LATER, lastFiring }]);
  });

  it('is known by its times if its activity has another id', () => {
    const { added } = follow(row('new', { ...TIMER, overlap: 'skip' }, { activityId: 'U' }), row('old', TIMER));
    expect(added).toMatchObject([{ id: 'old', activityId: 'U', dueAt: DUE }]);
    const two = [row('old', TIMER), row('other', TIMER, { activityId: 'V' })];
    expect(follow(row('new', TIMER, { activityId: 'U' }), ...two).replaced).toEqual([]);
  });

  it('takes the place of one row only', () => {
    const now = [row('a', { ...TIMER, overlap: 'skip' }), row('b', { ...TIMER, overlap: 'queue' })];
    const { added } = succeed(now, [row('old', TIMER)], new Map());
    expect(added.map(({ id }) => id)).toEqual(['old', 'b']);
  });
});

describe('a StartAt that is published again', () => {
  it.each([
    ['is still due though its time is over', { dueAt: DUE }, null, DUE],
    ['is due with its new jitter', { dueAt: DUE }, LATER, LATER],
    ['stays over', { dueAt: null, lastFiring }, LATER, null],
  ])('%s', (_, before, dueAt, expected) => {
    const { added } = follow(row('new', { ...ONCE, overlap: 'skip' }, { dueAt }), row('old', ONCE, before));
    expect(added).toMatchObject([{ id: 'old', dueAt: expected }]);
  });
});

describe('a pause', () => {
  const old = row('old', TIMER, { dueAt: null, paused: PAUSED });
  const over = { at: PAUSED.at, dueAt: PAUSED.at };

  it.each([
    ['the same times', row('new', { ...TIMER, overlap: 'skip' }), PAUSED],
    ['other times', row('new', { interval: '01:00:00' }), { ...PAUSED, dueAt: LATER }],
    ['no next time', row('new', { interval: '01:00:00', validUntil: '2020-01-01' }, { dueAt: null }), over],
    ['another activity', row('new', { interval: '01:00:00' }, { activityId: 'U' }), { ...PAUSED, dueAt: LATER }],
    ['another kind', row('new', CRON, { name: 'Elsa.Cron' }), { ...PAUSED, dueAt: LATER }],
    [
      'an expression that is switched off',
      row('new', { cronExpression: '' }, { name: 'Elsa.Cron', dueAt: null }),
      over,
    ],
  ])('is kept by a version with %s', (_, now, paused) => {
    expect(follow(now, old).added).toMatchObject([{ dueAt: null, paused }]);
  });

  it.each([
    ['an event', row('new', {}, { name: 'Elsa.Event', dueAt: undefined })],
    ['a StartAt whose time is over', row('new', ONCE, { name: 'Elsa.StartAt', dueAt: null })],
  ])('is not that of %s', (_, now) => {
    expect(follow(now, old).added).toEqual([now]);
  });

  it('is not that of one among several other triggers', () => {
    const now = [row('a', CRON, { activityId: 'A' }), row('b', CRON, { activityId: 'B' })];
    expect(succeed(now, [old], new Map()).added).toEqual(now);
  });
});

it('W4: a row that is replaced is written only if it has not been fired meanwhile', () => {
  const { added, replaced, removed } = follow(row('new', { ...TIMER, overlap: 'skip' }), row('old', TIMER));
  expect(triggerChange({ definitionId: 'w', added, replaced, removed, unchanged: [] })).toEqual({
    addedTriggers: added,
    removedTriggerIds: ['old'],
    unfired: [{ id: 'old', dueAt: DUE }],
  });
});
