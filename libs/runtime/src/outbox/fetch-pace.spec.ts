import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@waymark/testing';
import { FetchPace } from './fetch-pace.js';

const PLACES = 16;

describe('the pace at which a backlog is fetched', () => {
  const serve = (pace: FetchPace, count: number) => {
    for (let i = 0; i < count; i++) pace.note();
  };

  it('fills the places of a node that has served nothing yet', () => {
    const pace = new FetchPace(new VirtualClock(), PLACES);
    expect(pace.wanted(0)).toBe(PLACES);
    expect(pace.wanted(PLACES)).toBe(0);
  });

  it('fills each place that becomes free while messages take long', async () => {
    const clock = new VirtualClock();
    const pace = new FetchPace(clock, PLACES);
    pace.begin();
    await clock.advance(10_000);
    serve(pace, 1);
    expect(pace.wanted(PLACES - 1)).toBe(1);
  });

  it('takes work of a tenth of a second ahead when messages are short, and asks again at half of it', async () => {
    const clock = new VirtualClock();
    const pace = new FetchPace(clock, PLACES);
    pace.begin();
    await clock.advance(500);
    serve(pace, 500);
    expect(pace.wanted(PLACES + 50)).toBe(0);
    expect(pace.wanted(PLACES + 40)).toBe(60);
    expect(pace.wanted(0)).toBe(PLACES + 100);
  });

  it('claims further ahead where the store is slow: what a node serves while two looks are answered', async () => {
    const clock = new VirtualClock();
    const pace = new FetchPace(clock, PLACES);
    pace.begin();
    await clock.advance(200);
    pace.answered();
    serve(pace, 10);
    expect(pace.wanted(0)).toBe(PLACES + 20);
    expect(pace.wanted(PLACES)).toBe(20);
  });

  it('holds eight messages for each place at most', async () => {
    const clock = new VirtualClock();
    const pace = new FetchPace(clock, PLACES);
    pace.begin();
    await clock.advance(10);
    serve(pace, 10_000);
    expect(pace.wanted(0)).toBe(PLACES * 8);
  });

  it('is measured anew by each look, also by one that comes early, and never leaves a place empty meanwhile', async () => {
    const clock = new VirtualClock();
    const pace = new FetchPace(clock, PLACES);
    pace.begin();
    await clock.advance(500);
    serve(pace, 500);
    // A poll: its answer is not there yet, and nothing was served since.
    pace.begin();
    expect([pace.wanted(0), pace.wanted(PLACES - 1), pace.wanted(PLACES)]).toEqual([PLACES, 1, 0]);
    // After ten milliseconds of the same work it takes as much ahead as before.
    await clock.advance(10);
    serve(pace, 10);
    expect(pace.wanted(0)).toBe(PLACES + 100);
  });

  it('takes nothing ahead again once messages take long', async () => {
    const clock = new VirtualClock();
    const pace = new FetchPace(clock, PLACES);
    pace.begin();
    await clock.advance(100);
    serve(pace, 1000);
    pace.begin();
    await clock.advance(5000);
    serve(pace, PLACES);
    expect(pace.wanted(0)).toBe(PLACES);
  });
});
