import { once } from 'node:events';
import { LiveClient } from './live-client.js';

const open = (bufferBytes: number) => new LiveClient({ topics: new Set(['instances']) }, { bufferBytes });

describe('LiveClient', () => {
  it('queues nothing behind its last event, however slowly the client reads', async () => {
    const client = open(1000);
    client.note(': first\n\n');
    client.end('login');
    client.note(': heartbeat\n\n');
    client.reset('instances');
    const chunks = await client.setEncoding('utf8').toArray();
    expect(chunks.join('')).toBe(': first\n\nevent: closed\ndata: {"reason":"login"}\n\n');
  });

  it('is disconnected when it is ended again before it has read its last event', async () => {
    const client = open(4096);
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
