import { setImmediate as turn } from 'node:timers/promises';
import { entityTag } from '../requests/parse-content.js';
import { entityTagInTurns } from './entity-tag.js';

describe('the entity tag of a file that is sent', () => {
  it('is that of its bytes, whatever their number', async () => {
    for (const length of [0, 1, 8 * 1024 * 1024, 20 * 1024 * 1024 + 1]) {
      const bytes = new Uint8Array(length).fill(7);
      expect([length, await entityTagInTurns(bytes)]).toEqual([length, entityTag(bytes)]);
    }
  });

  it('is formed in turns with other requests: the hash of 100 MB takes a third of a second', async () => {
    const bytes = new Uint8Array(40 * 1024 * 1024);
    let [turns, isOver] = [0, false];
    const others = (async () => {
      for (; !isOver; turns++) await turn();
    })();
    await entityTagInTurns(bytes);
    isOver = true;
    await others;
    expect(turns).toBeGreaterThanOrEqual(4);
  });
});
