/** A client that takes its time: what it sends at once, and then a piece every so often. */
export interface SlowRequest {
  readonly name: string;
  readonly first: string;
  readonly piece?: string;
  readonly everyMs?: number;
  /** Statuses that it may be answered with; 0: the connection ends without an answer. */
  readonly statuses: readonly number[];
}

const post = (path: string, headers: string, body = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: h\r\n${headers}\r\n${body}`;
const JSON_BODY = 'Content-Type: application/json\r\nContent-Length: 4000\r\n';
const CHUNKED = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
const FORM = 'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 4000\r\n';
const BY_KEY = 'Authorization: ApiKey key\r\n';
const PART = '--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n';
const TOO_SLOW = [408];

/**
 * Not among them: a body for a path that is not there, which the adapter reads before it says so, for as long as it likes
 * (`requestTimeout`). None takes longer than a minute and a half: Node looks for heads that do not end each half minute, and gives them a
 * minute.
 */
export const slowCorpus: readonly SlowRequest[] = [
  { name: 'nothing at all', first: '', statuses: [408, 0] },
  {
    name: 'a head that never ends',
    first: 'GET / HTTP/1.1\r\nHost: h\r\nX: ',
    piece: 'a',
    everyMs: 1000,
    statuses: [408],
  },
  { name: 'a request line that never ends', first: 'GET /', piece: 'a', everyMs: 1000, statuses: [408] },
  {
    name: 'a login, a byte a second',
    first: post('/elsa/api/identity/login', JSON_BODY, '{'),
    piece: ' ',
    everyMs: 1000,
    statuses: TOO_SLOW,
  },
  { name: 'a login that stops', first: post('/elsa/api/identity/login', JSON_BODY, '{'), statuses: TOO_SLOW },
  { name: 'a body that stops', first: post('/workflows/echo', JSON_BODY, '['), statuses: TOO_SLOW },
  { name: 'chunks that stop', first: post('/workflows/echo', CHUNKED, '1\r\n[\r\n'), statuses: TOO_SLOW },
  { name: 'half a chunk', first: post('/workflows/echo', CHUNKED, 'ff\r\n['), statuses: TOO_SLOW },
  { name: 'a form that stops', first: post('/workflows/echo', FORM, PART), statuses: TOO_SLOW },
  {
    name: 'an import that stops',
    first: post('/elsa/api/workflow-definitions/import', BY_KEY + JSON_BODY, '{'),
    statuses: TOO_SLOW,
  },
  {
    name: 'an upload that stops',
    first: post('/elsa/api/workflow-definitions/import-files', BY_KEY + FORM, PART),
    statuses: TOO_SLOW,
  },
  {
    name: 'a body without credentials',
    first: post('/elsa/api/workflow-definitions/import', JSON_BODY, '{'),
    statuses: [401],
  },
  {
    name: 'a wrong token for a bookmark',
    first: post('/elsa/api/bookmarks/resume?t=none', JSON_BODY, '{'),
    statuses: [400],
  },
];
