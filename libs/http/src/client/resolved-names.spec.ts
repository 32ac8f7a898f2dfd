import http from 'node:http';
import type { LookupAddress } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { SystemClock } from '@waymark/runtime/adapter';
import { resolveHttpOptions } from '../module/http-options.js';
import { OutgoingAddresses } from './outgoing-addresses.js';
import { OutgoingHttp } from './outgoing-http.js';

const v4 = (address: string): LookupAddress => ({ address, family: 4 });
/** Where the server listens: allowed here, as a public address is elsewhere. */
const OPEN = v4('127.0.0.1');

describe('connections of a host that lets requests reach some addresses only', () => {
  let asked: string[];
  /** What the name server answers, one after the other; the last answer stays. */
  let names: Record<string, LookupAddress[][]>;
  let lookups: string[];
  let outgoing: OutgoingHttp;
  const server = http.createServer((request, response) => {
    asked.push(`${request.headers.host!.split(':')[0]!}${request.url!}`);
    if (request.url!.startsWith('/to/'))
      response.writeHead(302, { location: decodeURIComponent(request.url!.slice(4)) });
    if (request.url === '/last') response.setHeader('connection', 'close');
    response.end('reached');
  });
  let port = 0;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked = [];
    lookups = [];
    outgoing = new OutgoingHttp(new SystemClock(), resolveHttpOptions());
    const addresses = OutgoingAddresses.of({ addresses: 'public', allow: [OPEN.address] }, (name, _asked, callback) => {
      lookups.push(name);
      const answers = names[name]!;
      callback(null, answers.length > 1 ? answers.shift()! : answers[0]!);
    });
    Object.assign(outgoing, { addresses });
  });

  const get = (name: string, path: string) =>
    outgoing.send({ method: 'GET', url: `http://${name}:${port}${path}`, headers: [] });
  const refused = { code: 'WM5030' };

  it('connections of a host that lets requests reach some addresses only are made to the address that was checked, and a name that changes meanwhile is checked again', async () => {
    names = { 'rebinding.example': [[OPEN], [v4('127.0.0.2')]] };
    expect((await get('rebinding.example', '/last')).body.toString()).toBe('reached');
    expect(lookups).toEqual(['rebinding.example']);
    await expect(get('rebinding.example', '/')).rejects.toMatchObject(refused);
    expect(asked).toEqual(['rebinding.example/last']);
  });

  it('connections of a host that lets requests reach some addresses only are not made for a redirect to a name that has a private address', async () => {
    names = { 'open.example': [[OPEN]], 'inside.example': [[v4('10.0.0.1')]] };
    const path = `/to/${encodeURIComponent('http://inside.example/secret')}`;
    await expect(get('open.example', path)).rejects.toMatchObject(refused);
    expect([lookups, asked]).toEqual([['open.example', 'inside.example'], [`open.example${path}`]]);
  });

  it.each([
    ['first', (all: LookupAddress[]) => [v4('169.254.169.254'), ...all]],
    ['last', (all: LookupAddress[]) => [...all, { address: '::1', family: 6 }]],
  ])(
    'connections of a host that lets requests reach some addresses only are not made when the %s of a thousand addresses is private',
    async (_, add) => {
      names = { 'many.example': [add(Array.from({ length: 1000 }, () => OPEN))] };
      await expect(get('many.example', '/')).rejects.toMatchObject(refused);
      expect(asked).toEqual([]);
    },
  );

  it('connections of a host that lets requests reach some addresses only are not made for a name without an address', async () => {
    names = { 'none.example': [[]] };
    await expect(get('none.example', '/')).rejects.toMatchObject(refused);
  });
});
