import http from 'node:http';
import { processAgent } from './outgoing-agents.js';

describe('connections of requests that are sent once', () => {
  const url = new URL('http://example.test');
  const before = http.globalAgent;
  afterEach(() => (http.globalAgent = before));

  it('connections of requests that are sent once have the settings of the agent of the process', () => {
    http.globalAgent = new http.Agent({ keepAlive: true, localAddress: '127.0.0.9' });
    http.globalAgent.maxSockets = 3;
    const agent = processAgent(url, false);
    expect(agent).not.toBe(http.globalAgent);
    expect([agent, (agent as unknown as { options: object }).options]).toMatchObject([
      { maxSockets: 3 },
      { localAddress: '127.0.0.9' },
    ]);
    expect(processAgent(url, true)).toBe(http.globalAgent);
  });

  it('connections of requests that are sent once are made by the agent of the process where the application decides which ones are made', () => {
    // As packages do that refuse private addresses or keep names.
    http.globalAgent = Object.assign(new http.Agent(), { createConnection: () => undefined });
    expect(processAgent(url, false)).toBe(http.globalAgent);
  });
});
