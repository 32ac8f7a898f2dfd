import { type HostileRequest, rawRequest } from './hostile-request.js';
import { chancesOf, type Chances } from './seeded.js';

const NAMES = [
  'Content-Type',
  'Content-Length',
  'Transfer-Encoding',
  'Expect',
  'Cookie',
  'Authorization',
  'Accept',
  'Accept-Encoding',
  'Content-Encoding',
  'Content-Disposition',
  'If-None-Match',
  'If-Match',
  'Range',
  'Origin',
  'X-Workflow-Instance-ID',
  'X-Correlation-ID',
  'X-Forwarded-For',
  'X-HTTP-Method-Override',
  'Upgrade',
  '__proto__',
  'constructor',
  'toString',
  'X-\xe9',
  'X Y',
  '',
];
const VALUES = [
  '',
  ' ',
  'a',
  '\r\nX-Injected: yes',
  '\nX-Injected: yes',
  '\rX-Injected: yes',
  '\0',
  '\t',
  '\x7f',
  '\xff\xfe',
  '\x1b[31m',
  'application/json',
  'APPLICATION/JSON; charset=utf-16',
  'application/json; charset=no-such',
  'multipart/form-data',
  'multipart/form-data; boundary=""',
  'text/plain; charset="',
  'gzip, chunked',
  'chunked',
  '100-continue',
  '-1',
  '0',
  '1e3',
  '18446744073709551616',
  'Bearer a.b.c',
  'Bearer eyJhbGciOiJub25lIn0.e30.',
  'ApiKey ../../etc',
  'Basic !!!!',
  'bytes=0-0,1-1,2-2',
  'W/"a", *',
  "attachment; filename*=UTF-8''%",
  '../../etc/passwd',
];
const PATHS = [
  '/workflows/echo',
  '/workflows/keep',
  '/workflows/headers',
  '/elsa/api/identity/login',
  '/elsa/api/workflow-definitions',
  '/elsa/api/bookmarks/resume?t=a',
  '/health/live',
];

/** Bytes of a request whose head is odd: a client library would not send them. */
export function randomHead(seed: number): HostileRequest {
  const chances = chancesOf(seed);
  const { next, pick } = chances;
  // Half of them are what HTTP allows, odd as they are: the rest is refused by Node's parser.
  const isLegal = next(2) === 0;
  const methods = ['GET', 'POST', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'];
  const method = pick(isLegal ? methods : [...methods, 'TRACE', 'get', 'GE T', '']);
  const body = pick(['', '{}', '{"username":"a","password":"b"}', '--x\r\n', '0\r\n\r\n', '5\r\nhello\r\n0\r\n\r\n']);
  const headers = isLegal ? headersOf(chances).filter(isAllowed) : headersOf(chances);
  // Most say how long they are: else the server waits for the rest, as it has to.
  if (isLegal || next(4)) headers.push(`Content-Length: ${Buffer.byteLength(body)}`);
  const head = `${method} ${pick(PATHS)} ${isLegal ? 'HTTP/1.1' : pick(['HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9'])}`;
  const text = [head, 'Host: localhost', 'Connection: close', ...headers].join('\r\n');
  return rawRequest(`head ${seed}`, () => Buffer.from(`${text}\r\n\r\n${body}`, 'latin1'));
}

const isAllowed = (line: string): boolean =>
  /^[\w-]+:[\t\x20-\x7e\x80-\xff]*$/.test(line) && !/^(content-length|transfer-encoding|upgrade|expect):/i.test(line);

function headersOf({ next, pick, some }: Chances): string[] {
  switch (next(6)) {
    case 0:
      return Array.from({ length: next(3000) }, (_, i) => `X-${i}: ${pick(VALUES)}`);
    case 1:
      return [`${pick(NAMES)}: ${pick(['a', ' ', ',', ';a=b', '\xff', 'a=b&']).repeat(next(15_000))}`];
    case 2:
      return some(400, () => `${pick(NAMES)}: a`);
    default:
      return some(12, () => `${pick(NAMES)}${pick([':', ': ', ' : ', ''])}${pick(VALUES)}`);
  }
}
