import { once } from 'node:events';
import { LiveClient } from './live-client.js';

describe('a client that follows changes', () => {
  it('is cut off when it is to end and does not read that', async () => {
    const client = new LiveClient({ topics: new Set() } as never, { bufferBytes: 4096 });
    const [errors, closed] = [[] as unknown[], once(client, 'close')];
    client.on('error', (error) => errors.push(error));
    client.end('login');
    client.note(': heartbeat\n\n');
    expect([client.destroyed, client.wasCut]).toEqual([false, false]);
    client.end('login');
    await closed;
    expect([client.wasCut, errors]).toEqual([true, []]);
  });
});
