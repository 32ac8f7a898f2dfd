import { completeRequest, type HostileRequest, rawRequest } from './hostile-request.js';

const BY_KEY = 'Authorization: ApiKey key\r\n';
const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: h\r\n${headers}\r\n`;
const LAST = 'Connection: close\r\n';

/** Requests that do not wait for the answers to those before them. */
const pipelined = (name: string, request: string, times: number): HostileRequest =>
  completeRequest(`${times} pipelined requests ${name}`, () =>
    Buffer.from(request.repeat(times) + get('/health/live', LAST)),
  );

const WITH_BODY = 'POST /workflows/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}';
/** The first one takes the least time: quick runs send that one, which would hold one turn for too long as well. */
const inLine = [
  pipelined('with bodies', WITH_BODY, 500),
  pipelined('with bodies', WITH_BODY, 2000),
  pipelined('for the health', get('/health/live'), 60_000),
  pipelined('to an endpoint', get('/workflows/echo'), 5000),
  pipelined('to paths that are not there', get('/none'), 20_000),
  pipelined('to the API without credentials', get('/elsa/api/workflow-instances'), 5000),
  pipelined('with an empty head', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', 60_000),
  pipelined('that offer another protocol', get('/health/live', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'), 5000),
  pipelined('that expect to continue', get('/health/live', 'Expect: 100-continue\r\n'), 10_000),
];

/** Frames of a client, each masked by zeros. */
const frame = (first: number, payload = Buffer.alloc(0)): Buffer =>
  Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
const times = (bytes: Buffer, count: number): Buffer => Buffer.alloc(bytes.length * count, bytes);
const [TEXT, CONTINUATION, PING, PONG, FINAL] = [0x01, 0x00, 0x89, 0x8a, 0x80];

/** What follows the upgrade, by one who may read instances. */
const frames = (name: string, bytes: () => Buffer): HostileRequest =>
  rawRequest(`/elsa/hubs/workflow-instance: ${name}`, () =>
    Buffer.concat([
      Buffer.from(
        get(
          '/elsa/hubs/workflow-instance',
          `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: aG9zdGlsZSBob3N0aWxlIQ==\r\n${BY_KEY}`,
        ),
      ),
      bytes(),
    ]),
  );
const toHub = [
  frames('500,000 pings', () => times(frame(PING), 500_000)),
  frames('500,000 pongs', () => times(frame(PONG), 500_000)),
  frames('30,000 pings of 125 bytes', () => times(frame(PING, Buffer.alloc(125)), 30_000)),
  frames('500,000 fragments of nothing', () =>
    Buffer.concat([frame(TEXT), times(frame(CONTINUATION), 500_000), frame(CONTINUATION | FINAL)]),
  ),
  frames('500,000 messages of nothing', () => times(frame(TEXT | FINAL), 500_000)),
  frames('30,000 fragments of a byte', () =>
    Buffer.concat([frame(TEXT), times(frame(CONTINUATION, Buffer.from('x')), 30_000), frame(CONTINUATION | FINAL)]),
  ),
  frames('a message of 2^53 bytes', () => Buffer.from([TEXT | FINAL, 0xff, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
  frames('pings in the middle of a message', () =>
    Buffer.concat([frame(TEXT, Buffer.from('{')), times(frame(PING), 100_000)]),
  ),
];

/** Heads as large as Node takes them. */
const heads = [
  completeRequest('/workflows/headers: 1,900 headers', () =>
    Buffer.from(get('/workflows/headers', `${Array.from({ length: 1900 }, (_, i) => `h${i}:1\r\n`).join('')}${LAST}`)),
  ),
  completeRequest('/workflows/headers: one header 1,900 times', () =>
    Buffer.from(get('/workflows/headers', `${'a: 1\r\n'.repeat(1900)}${LAST}`)),
  ),
  completeRequest('/workflows/headers: a cookie of 7,000 parts', () =>
    Buffer.from(get('/workflows/headers', `Cookie: ${'a;'.repeat(7000)}\r\n${LAST}`)),
  ),
  ...['/workflows/echo', '/elsa/api/bookmarks/resume', '/elsa/api/identity/login'].flatMap((path) =>
    ['a&', 't=1&', '%&', 'a[b]&', 'a.b=1&'].map((parameter) =>
      completeRequest(`${path}: as many parameters ${parameter} as fit`, () =>
        Buffer.from(get(`${path}?${parameter.repeat(14_000 / parameter.length)}`, LAST)),
      ),
    ),
  ),
  ...['/', '%2f', 'a/', '.', '..%2f', ';'].map((part) =>
    completeRequest(`/workflows: a path of ${part}`, () =>
      Buffer.from(get(`/workflows/${part.repeat(14_000 / part.length)}`, LAST)),
    ),
  ),
];

/** Other spellings of paths: what reads bodies before a route is found must see the same path as the router. */
const SPELLINGS = [
  'http://h/elsa/api/identity/login',
  '/elsa/%61pi/identity/login?x=%ZZ',
  'HTTPS://h:1/elsa/api/workflow-definitions',
  '/%65lsa/api/workflow-definitions?x=%ZZ',
  'http://h/workflows/echo?x=%ZZ',
  '/%77orkflows/echo',
];
const post = (path: string, body: string): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: h\r\n${LAST}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
const spelled = SPELLINGS.flatMap((path) => [
  completeRequest(`${path}: a megabyte of lists`, () => post(path, `[${'[],'.repeat(320_000)}[]]`)),
  completeRequest(`${path}: lists in lists`, () => post(path, '['.repeat(100_000))),
]);

export const wireCorpora: readonly (readonly HostileRequest[])[] = [inLine, toHub, heads, spelled];
