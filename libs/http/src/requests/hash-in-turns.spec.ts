import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { entityTag } from './hash-in-turns.js';

describe('the entity tag of a file that is sent', () => {
  it('is that of its bytes, whatever their number', async () => {
    for (const length of [0, 1, 8 * 1024 * 1024, 20 * 1024 * 1024 + 1]) {
      const bytes = new Uint8Array(length).fill(7);
      const hash = createHash('sha256').update(bytes).digest('base64url');
      expect([length, await entityTag(bytes)]).toEqual([length, `"${hash}"`]);
    }
  });

  it('is formed in turns with other requests: the hash of 100 MB takes a third of a second', async () => {
    const bytes = new Uint8Array(40 * 1024 * 1024);
    let [turns, isOver] = [0, false];
    const others = (async () => {
      for (; !isOver; turns++) await turn();
    })();
    await entityTag(bytes);
    isOver = true;
    await others;
    expect(turns).toBeGreaterThanOrEqual(19);
  });
});
