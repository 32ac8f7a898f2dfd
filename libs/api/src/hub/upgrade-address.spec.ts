import { VirtualClock } from '@waymark/testing';
import { ADAPTERS, ApiServer } from '../module/api-harness.spec.js';
import { RawHubClient } from './testing/raw-hub-client.js';

const authentication = { apiKeys: ['k'.repeat(40)], loginLimits: { addressFailures: 2 } };

describe.each(ADAPTERS)('wrong keys with WebSockets on %s', (adapter) => {
  let api: ApiServer;
  afterEach(() => api.close());

  /** Opens one after the other with a wrong key, each for a client of that address. @returns how each was answered */
  async function refusals(trustProxy: boolean, addresses: readonly string[]): Promise<string[]> {
    api = await ApiServer.startWith(adapter, { authentication }, { clock: new VirtualClock() }, trustProxy);
    const hub = `${await api.app.getUrl()}/elsa/hubs/workflow-instance`;
    const answers: string[] = [];
    for (const address of addresses) {
      const headers = { authorization: 'ApiKey wrong', 'x-forwarded-for': address };
      const refused = await RawHubClient.open(hub, headers).catch((error: Error) => error.message);
      answers.push(/\d{3}$/.exec(String(refused))![0]);
    }
    return answers;
  }

  it('wrong keys with WebSockets behind a proxy that the adapter trusts count for the client that the proxy names', async () => {
    const addresses = ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2'];
    expect(await refusals(true, addresses)).toEqual(['401', '401', '429', '429', '401']);
  });

  it('wrong keys with WebSockets count for the address of the connection where no proxy is trusted, whatever the client says', async () => {
    const addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'];
    expect(await refusals(false, addresses)).toEqual(['401', '401', '429', '429']);
  });
});
