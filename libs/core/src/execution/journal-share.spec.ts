import { describe, expect, it } from '@jest/globals';
import { JournalShare } from './journal-share.js';

describe('the journals of bursts that run at the same time', () => {
  it('bursts share the memory for their journals: few have all that one may have, and many have a little each', () => {
    const share = new JournalShare();
    const shares = new Map([[0, share.chars]]);
    for (let bursts = 1; bursts <= 1000; bursts++) {
      share.enter();
      shares.set(bursts, share.chars);
    }
    expect([0, 1, 4, 8, 320, 1000].map((bursts) => shares.get(bursts))).toEqual([
      8_000_000, 8_000_000, 8_000_000, 4_000_000, 100_000, 100_000,
    ]);
    for (let bursts = 1000; bursts > 4; bursts--) share.leave();
    expect(share.chars).toBe(8_000_000);
  });
});
