import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { SystemClock } from '@waymark/runtime/adapter';
import { type HttpWorkflowsOptions, resolveHttpOptions } from '../module/http-options.js';
import { isPublicAddress } from './address-ranges.js';
import { OutgoingAddresses } from './outgoing-addresses.js';
import type { Resolve } from './outgoing-names.js';
import { OutgoingHttp } from './outgoing-http.js';

const refused = { code: 'WM5030' };

describe('addresses that are not public', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '100.100.100.200',
    '169.254.169.254',
    '168.63.129.16',
    '172.31.255.255',
    '192.168.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '::ffff:0:7f00:1',
    '64:ff9b:1::7f00:1',
    '5f00::1',
    '3fff::1',
    '2001:20::1',
    'no address',
  ])('%s', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(['8.8.8.8', '172.32.0.1', '169.253.1.1', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe('outgoing requests of a host that lets them reach public addresses only', () => {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url!);
    if (request.url!.startsWith('/to/'))
      response.writeHead(302, { location: decodeURIComponent(request.url!.slice(4)) });
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
  beforeEach(() => void asked.splice(0));

  const get = (url: string, outgoing: HttpWorkflowsOptions['outgoing']) =>
    new OutgoingHttp(new SystemClock(), resolveHttpOptions({ outgoing })).send({ method: 'GET', url, headers: [] });
  const fromOutside = { addresses: 'public' } as const;

  it.each([
    ['an address', '127.0.0.1'],
    ['a name', 'localhost'],
    ['a short form', '127.1'],
    ['a number', '2130706433'],
    ['a hexadecimal number', '0x7f000001'],
    ['octal parts', '0177.0.0.01'],
    ['all addresses of this machine', '0'],
    ['IPv6', '[::1]'],
    ['IPv4 as IPv6', '[::ffff:127.0.0.1]'],
    ['the same in hexadecimal', '[::ffff:7f00:1]'],
  ])('outgoing requests of a host that lets them reach public addresses only are refused for %s', async (_, host) => {
    await expect(get(`http://${host}:${port}/`, fromOutside)).rejects.toMatchObject(refused);
    expect(asked).toEqual([]);
  });

  it('outgoing requests of a host that lets them reach public addresses only are refused over TLS', async () => {
    await expect(get(`https://localhost:${port}/`, fromOutside)).rejects.toMatchObject(refused);
  });

  it('outgoing requests of a host that lets them reach public addresses only reach any address without the option', async () => {
    expect((await get(`http://localhost:${port}/a`, undefined)).body.toString()).toBe('reached');
  });

  it.each([['127.0.0.1'], ['127.0.0.0/8'], ['localhost'], ['LOCALHOST.']])(
    'outgoing requests of a host that lets them reach public addresses only reach what %s allows',
    async (entry) => {
      const host = /^\d/.test(entry) ? '127.0.0.1' : 'localhost';
      const allow = [entry];
      expect((await get(`http://${host}:${port}/a`, { ...fromOutside, allow })).body.toString()).toBe('reached');
    },
  );

  it('outgoing requests of a host that lets them reach public addresses only are refused for the target of a redirect', async () => {
    const allow = ['localhost'];
    for (const target of [
      `http://127.0.0.1:${port}/secret`,
      'http://169.254.169.254/latest/meta-data',
      'http://[::1]/',
    ]) {
      asked.splice(0);
      const url = `http://localhost:${port}/to/${encodeURIComponent(target)}`;
      await expect(get(url, { ...fromOutside, allow })).rejects.toMatchObject(refused);
      expect(asked).toHaveLength(1);
    }
  });

  it.each([
    ['*.internal', 'a.b.internal', true],
    ['*.internal', 'internal', false],
    ['a.internal', 'b.a.internal', false],
  ])('names: %s and %s', async (entry, host, isAllowed) => {
    const resolve: Resolve = (_name, _options, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }]);
    const guard = OutgoingAddresses.of({ addresses: 'public', allow: [entry] }, resolve)!;
    expect(await resolved(guard, host)).toEqual(isAllowed ? '10.0.0.1' : 'WM5030');
  });

  it('outgoing requests of a host that lets them reach public addresses only connect to the checked address, without resolving the name again', async () => {
    const answers = ['93.184.215.14', '127.0.0.1'];
    const names: string[] = [];
    const guard = OutgoingAddresses.of(fromOutside, (name, _options, callback) => {
      names.push(name);
      callback(null, [{ address: answers[names.length - 1]!, family: 4 }]);
    })!;
    // The address that is handed to the connection is the one of the look-up that was checked.
    expect(await resolved(guard, 'rebinding.example')).toBe('93.184.215.14');
    expect(names).toEqual(['rebinding.example']);
    expect(await resolved(guard, 'rebinding.example')).toBe('WM5030');
  });

  it('outgoing requests of a host that lets them reach public addresses only are refused when one of several addresses is not public', async () => {
    const guard = OutgoingAddresses.of(fromOutside, (_name, _options, callback) =>
      callback(null, [
        { address: '93.184.215.14', family: 4 },
        { address: 'fd00::1', family: 6 },
      ]),
    )!;
    expect(await resolved(guard, 'both.example')).toBe('WM5030');
  });

  it.each(['10.0.0.0/33', 'http://a.example', 'a b', '*', ''])('an entry "%s" is refused at the start', (entry) => {
    expect(() => resolveHttpOptions({ outgoing: { addresses: 'public', allow: [entry] } })).toThrow(
      expect.objectContaining({ code: 'WM1090', option: 'http.outgoing.allow' }),
    );
  });

  const resolved = (guard: OutgoingAddresses, host: string): Promise<string> => {
    const { lookup } = guard.requestOptions(new URL(`http://${host}/`));
    return new Promise((resolve) =>
      lookup(host, {}, (error, address) => resolve((error as { code?: string } | null)?.code ?? (address as string))),
    );
  };
});
