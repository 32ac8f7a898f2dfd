import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { seedOf } from './random-inputs.mjs';

const sampled = (draw: string): number[] => fc.sample(fc.integer(), { seed: seedOf(draw)!, numRuns: 20 });

it('random inputs are the same with the same draw, and others with another one', () => {
  expect(sampled('1938')).toEqual(sampled('1938'));
  expect(sampled('1938')).not.toEqual(sampled('1939'));
});

it('random inputs of a run without a draw have no seed', () =>
  expect([seedOf(undefined), seedOf('')]).toEqual([undefined, undefined]));

it('each specification has the inputs of the draw of its run', () =>
  expect(fc.readConfigureGlobal()?.seed).toBe(seedOf(process.env.WAYMARK_TEST_DRAW)));
