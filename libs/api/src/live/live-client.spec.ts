import { LiveClient } from './live-client.js';

describe('LiveClient', () => {
  it('queues nothing behind its last event, however slowly the client reads', async () => {
    const client = new LiveClient({ topics: new Set(['instances']) }, { bufferBytes: 1000 });
    client.note(': first\n\n');
    client.end('login');
    client.note(': heartbeat\n\n');
    client.reset('instances');
    client.end('shutdown');
    const chunks = await client.setEncoding('utf8').toArray();
    expect(chunks.join('')).toBe(': first\n\nevent: closed\ndata: {"reason":"login"}\n\n');
  });
});
