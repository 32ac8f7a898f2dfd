import {
  anonymousRequest,
  apiRequest,
  completeRequest,
  FORM,
  type HostileRequest,
  rawRequest,
  resetRequest,
} from './hostile-request.js';

// What an exception in a listener of an event, or in a promise that nobody awaits, would end the process with: no answer shows it.

const BOUNDARY = '--hostile\r\n';
const MB = 1_000_000;
const HEADS: readonly (readonly [name: string, head: string])[] = [
  ['a file without a field', 'Content-Disposition: form-data; filename="x.txt"'],
  [
    'a file without a field, its type first',
    'Content-Type: text/plain\r\nContent-Disposition: form-data; filename="x"',
  ],
  ['a field without a name', 'Content-Disposition: form-data'],
  ['a field without a name, and a semicolon', 'Content-Disposition: form-data;'],
  ['bytes without a name', 'Content-Disposition: form-data\r\nContent-Type: application/octet-stream'],
  [
    'bytes without a file name',
    'Content-Disposition: form-data; name="files"\r\nContent-Type: application/octet-stream',
  ],
  ['an extended name alone', 'Content-Disposition: form-data; name*=UTF-8\'\'a; filename="x"'],
  ['a broken extended name', "Content-Disposition: form-data; name*=x''%; filename*=x''%ff"],
  ['the file name first', 'Content-Disposition: form-data; filename="x"; name="files"'],
  ['a name without a value', 'Content-Disposition: form-data; name; filename="x"'],
  ['two names', 'Content-Disposition: form-data; name="a"; name="files"; filename="x"; filename="y"'],
  ['another disposition', 'Content-Disposition: attachment; filename="x"'],
  ['no disposition', 'X: y'],
];
const part = (head: string, content: string): string =>
  `${BOUNDARY}${head}\r\n\r\n${content}\r\n${BOUNDARY}Content-Disposition: form-data; name="last"\r\n\r\nz\r\n--hostile--\r\n`;

/** In memory, and beyond what stays there. */
const SIZES = [1, 2 * MB];
const nameless: readonly HostileRequest[] = HEADS.flatMap(([name, head]) =>
  SIZES.flatMap((size) => {
    const body = () => part(head, 'a'.repeat(size));
    const shown = `a part with ${name}, of ${size} bytes`;
    return [
      anonymousRequest(`/workflows/echo: ${shown}`, '/workflows/echo', body, FORM),
      apiRequest(`import-files: ${shown}`, '/workflow-definitions/import-files', body, { type: FORM }),
      apiRequest(`import of instances: ${shown}`, '/bulk-actions/import/workflow-instances', body, { type: FORM }),
    ];
  }),
);

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: h\r\n${headers}\r\n`;
const post = (path: string, headers: string, body = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: h\r\n${headers}\r\n${body}`;
const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
const WEB_SOCKET =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: aG9zdGlsZSBob3N0aWxlIQ==\r\n';
const BY_KEY = 'Authorization: ApiKey key\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const HUB = '/elsa/hubs/workflow-instance';
const FORM_OF = (type: string, length: number): string =>
  `Content-Type: multipart/form-data; boundary=hostile\r\n${type}Content-Length: ${length}\r\n`;
const OPEN_FILE = `${BOUNDARY}Content-Disposition: form-data; name="files"; filename="a"\r\n\r\nabc`;
/** Takes its workflow 40 ms, so that what follows is there before its answer. */
const SLOW = get('/workflows/brief');

/** What a connection held when its client reset it. */
const HELD: readonly (readonly [name: string, bytes: string])[] = [
  ['nothing', ''],
  ['half a head', 'GET / HTTP/1.1\r\nHost'],
  ['a request at work', SLOW],
  ['requests in line', SLOW + get('/health/live') + get('/none')],
  ['an offer of HTTP/2', get('/health/live', H2C)],
  ['an offer of HTTP/2 behind a request at work', SLOW + get('/health/live', H2C)],
  ['an offer of HTTP/2 behind two requests at work', SLOW + SLOW + get('/none', H2C)],
  ['offers of HTTP/2 in line', SLOW + get('/health/live', H2C).repeat(50)],
  ['an offer of HTTP/2 with a body that has not come', post('/workflows/echo', `${H2C}Content-Length: 5000\r\n`, '{')],
  ['an offer of HTTP/2 with bytes behind it', `${get('/workflows/brief', H2C)}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`],
  ['an upgrade to nothing', get('/health/live', 'Connection: Upgrade\r\nUpgrade: \r\n')],
  ['an upgrade to the hub', get(HUB, WEB_SOCKET + BY_KEY)],
  ['an upgrade to the hub without credentials', get(HUB, WEB_SOCKET)],
  ['an upgrade to the hub behind a request at work', SLOW + get(HUB, WEB_SOCKET + BY_KEY)],
  ['an upgrade to the hub without a key', get(HUB, `Connection: Upgrade\r\nUpgrade: websocket\r\n${BY_KEY}`)],
  ['an upgrade to no hub', SLOW + get('/none', WEB_SOCKET)],
  ...['/%zz', 'http://[/x', '*', '//', `${HUB}?%zz&access_token=%ff`, `http://h${HUB}/%`, '/\x7f'].map(
    (url) => [`an upgrade to ${url}`, get(url, WEB_SOCKET)] as const,
  ),
  ['half a frame to the hub', `${get(HUB, WEB_SOCKET + BY_KEY)}\x81`],
  ['a stream of events', get('/elsa/api/workflow-instances/stream', BY_KEY)],
  ['a tunnel', 'CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n'],
  ['a tunnel behind a request at work', `${SLOW}CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n`],
  ['an expectation', post('/workflows/echo', 'Expect: 100-continue\r\nContent-Length: 5\r\n')],
  ['an expectation of something else', post('/workflows/echo', 'Expect: tea\r\nContent-Length: 5\r\n')],
  ['half a body', post('/workflows/echo', 'Content-Length: 5\r\n', '{')],
  ['half a chunk', post('/workflows/echo', CHUNKED, 'ff\r\n{')],
  ['a broken chunk', post('/workflows/echo', CHUNKED, 'zz\r\n{')],
  ['half a file', post('/workflows/echo', FORM_OF('', 5000), OPEN_FILE)],
  ['half a large file', post('/workflows/echo', FORM_OF('', 5 * MB), OPEN_FILE + 'a'.repeat(2 * MB))],
  ['half an import', post('/elsa/api/workflow-definitions/import-files', FORM_OF(BY_KEY, 5000), OPEN_FILE)],
  ['half a login', post('/elsa/api/identity/login', 'Content-Type: application/json\r\nContent-Length: 50\r\n', '{')],
  [
    'a body for a path that is not there',
    post('/none', 'Content-Type: application/json\r\nContent-Length: 50\r\n', '{'),
  ],
  [
    'a large answer',
    post('/workflows/echo', 'Content-Type: application/json\r\nContent-Length: 2000002\r\n', `"${'x'.repeat(2 * MB)}"`),
  ],
  ['bytes that are no request', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['bytes that are no request behind one at work', `${SLOW}\x16\x03\x01`],
];
const resets = HELD.map(([name, bytes]) =>
  resetRequest(`a reset of a connection with ${name}`, () => Buffer.from(bytes, 'latin1')),
);
/** The same connections, ended in order or left open for the answer. */
const ended = HELD.map(([name, bytes]) =>
  rawRequest(`an end of a connection with ${name}`, () => Buffer.from(bytes, 'latin1')),
);
const answered = [
  completeRequest('an offer of HTTP/2 behind a request at work, which are both answered', () =>
    Buffer.from(SLOW + get('/health/live', `${H2C.replace('Upgrade,', 'close, Upgrade,')}`)),
  ),
];

/** All of it is sent in each run that has its turn. */
export const crashCorpora: readonly (readonly HostileRequest[])[] = [nameless, resets, ended, answered];
