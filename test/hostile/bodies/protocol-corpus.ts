import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import {
  anonymousRequest,
  apiRequest,
  completeRequest,
  FORM,
  type HostileRequest,
  rawRequest,
} from './hostile-request.js';

// What HTTP allows, or nearly, and no browser sends; also to paths of which Waymark knows nothing.

const MB = 1_000_000;
const LAST = 'Connection: close\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const BY_KEY = 'Authorization: ApiKey key\r\n';

/** Of an endpoint, of the API, of the application, and of nothing. */
const PATHS = [
  '/workflows/echo',
  '/workflows/keep',
  '/workflows/none',
  '/elsa/api/identity/login',
  '/elsa/api/none',
  '/elsa/api/workflow-instances',
  '/health/live',
  '/none',
] as const;

/** Made once: compressing takes the client longer than the host takes to answer. */
const bomb = (compress: (bytes: Buffer) => Buffer): (() => Buffer) => {
  let made: Buffer | undefined;
  return () => (made ??= compress(Buffer.alloc(100 * MB, ' ')));
};
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const CODINGS = [
  ['gzip', bomb(gzipSync)],
  ['deflate', bomb(deflateSync)],
  ['br', bomb((bytes) => brotliCompressSync(bytes, quickly))],
] as const;

const post = (path: string, headers: string, method = 'POST'): string =>
  `${method} ${path} HTTP/1.1\r\nHost: h\r\n${LAST}${headers}\r\n`;
const bytes = (name: string, make: () => (string | Buffer)[]): HostileRequest =>
  completeRequest(name, () => Buffer.concat(make().map((part) => Buffer.from(part as string))));

const crumbs = Buffer.from('1\r\nx\r\n'.repeat(1 * MB));
const inCrumbs = ['/workflows/echo', '/health/live', '/none'].flatMap((path) =>
  ['application/json', 'application/x-www-form-urlencoded'].map((type) =>
    bytes(`${path}: a megabyte of ${type} in chunks of a byte`, () => [
      post(path, `${CHUNKED}Content-Type: ${type}\r\n`),
      crumbs,
      '0\r\n\r\n',
    ]),
  ),
);
const toEach = PATHS.flatMap((path) => [
  bytes(`${path}: chunks of a byte behind GET`, () => [post(path, CHUNKED, 'GET'), crumbs, '0\r\n\r\n']),
  bytes(`${path}: chunks with extensions`, () => [
    post(path, `${CHUNKED}${JSON_TYPE}`),
    `1;${'a=b;'.repeat(200)}\r\n1\r\n`.repeat(500),
    '0\r\n\r\n',
  ]),
  bytes(`${path}: a chunk with a long extension`, () => [
    post(path, `${CHUNKED}${JSON_TYPE}`),
    `1;${'a'.repeat(100_000)}\r\n1\r\n0\r\n\r\n`,
  ]),
  bytes(`${path}: many trailers`, () => [
    post(path, `${CHUNKED}${JSON_TYPE}`),
    `2\r\n{}\r\n0\r\n${Array.from({ length: 900 }, (_, i) => `t${i}: x\r\n`).join('')}\r\n`,
  ]),
  bytes(`${path}: a trailer of 60 kB`, () => [
    post(path, `${CHUNKED}${JSON_TYPE}`),
    `2\r\n{}\r\n0\r\nt: ${'x'.repeat(60_000)}\r\n\r\n`,
  ]),
  // It announces more than there is.
  rawRequest(`${path}: a chunk of 2^63 bytes`, () =>
    Buffer.from(`${post(path, `${CHUNKED}${JSON_TYPE}`)}7fffffffffffffff\r\n{}\r\n0\r\n\r\n`),
  ),
  bytes(`${path}: lengths that differ`, () => [
    post(path, `${JSON_TYPE}Content-Length: 2\r\nContent-Length: 3\r\n`),
    '{}x',
  ]),
  bytes(`${path}: a length and chunks`, () => [post(path, `${JSON_TYPE}Content-Length: 2\r\n${CHUNKED}`), '{}']),
  bytes(`${path}: chunks that are compressed`, () => [
    post(path, `${JSON_TYPE}Transfer-Encoding: gzip, chunked\r\n`),
    '2\r\n{}\r\n0\r\n\r\n',
  ]),
  bytes(`${path}: an expectation that is unknown`, () => [
    post(path, `Expect: 200-ok\r\n${JSON_TYPE}Content-Length: 2\r\n`),
    '{}',
  ]),
  bytes(`${path}: to continue`, () => [post(path, `Expect: 100-continue\r\n${JSON_TYPE}Content-Length: 2\r\n`), '{}']),
  bytes(`${path}: of HTTP/1.0`, () => [`POST ${path} HTTP/1.0\r\n${JSON_TYPE}Content-Length: 2\r\n\r\n{}`]),
  bytes(`${path}: an absolute address`, () => [
    post(`http://elsewhere.example${path}`, `${JSON_TYPE}Content-Length: 2\r\n`),
    '{}',
  ]),
  bytes(`${path}: without a host`, () => [`POST ${path} HTTP/1.1\r\n${LAST}Content-Length: 0\r\n\r\n`]),
  bytes(`${path}: an unknown method`, () => [post(path, '', 'BREW')]),
  ...['OPTIONS', 'TRACE', 'PROPFIND', 'PATCH', 'HEAD', 'M-SEARCH', 'QUERY'].map((method) =>
    bytes(`${path}: ${method} with a body`, () => [post(path, `${JSON_TYPE}Content-Length: 2\r\n`, method), '{}']),
  ),
  bytes(`${path}: another protocol with a body`, () => [
    post(path, `Upgrade: h2c, websocket\r\nConnection: Upgrade\r\n${JSON_TYPE}Content-Length: 2\r\n`),
    '{}',
  ]),
  ...CODINGS.map(([coding, bomb]) =>
    anonymousRequest(`${path}: 100 MB of blanks as ${coding}`, path, bomb, {
      'Content-Type': 'application/json',
      'Content-Encoding': coding,
    }),
  ),
  anonymousRequest(`${path}: ten codings`, path, () => gzipSync('{}'), {
    'Content-Type': 'application/json',
    'Content-Encoding': Array(10).fill('gzip').join(', '),
  }),
  anonymousRequest(`${path}: names that come often`, path, () => `{${'"a":1,'.repeat(29_000)}"a":1}`),
  anonymousRequest(
    `${path}: members of all objects`,
    path,
    () =>
      `{${'"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":1,"valueOf":1,"hasOwnProperty":1,"then":1,'.repeat(900)}"a":1}`,
  ),
  anonymousRequest(`${path}: a number of 900,000 digits`, path, () => `{"a":${'9'.repeat(900_000)}}`),
  anonymousRequest(`${path}: a fraction of 900,000 digits`, path, () => `{"a":0.${'9'.repeat(900_000)}e-999999999}`),
  anonymousRequest(`${path}: halves of characters`, path, () => JSON.stringify({ a: '\ud800'.repeat(90_000) })),
  anonymousRequest(`${path}: zeros in texts`, path, () => JSON.stringify({ a: '\0', '\0': '\0'.repeat(90_000) })),
]);

const part = (head: string, content = 'x'): string => `--hostile\r\n${head}\r\n\r\n${content}\r\n`;
const DISPOSITION = 'Content-Disposition: form-data; name=';
const END = '--hostile--\r\n';
const forms = ['/workflows/echo', '/workflows/none', '/none', '/elsa/api/none'].flatMap((path) =>
  (
    [
      ['9,000 parts without a name', () => part('Content-Type: text/plain').repeat(9000) + END],
      ['a part with 1,900 headers', () => part(`${'a: b\r\n'.repeat(1900)}${DISPOSITION}"f"`) + END],
      ['9,000 parts with 20 headers each', () => part(`${'a: b\r\n'.repeat(20)}${DISPOSITION}"f"`).repeat(9000) + END],
      ['a name of a megabyte', () => part(`${DISPOSITION}"${'n'.repeat(MB)}"`) + END],
      ['a file name of 60 kB of dots', () => part(`${DISPOSITION}"f"; filename="${'../'.repeat(20_000)}"`) + END],
      [
        'names of all objects',
        () =>
          ['__proto__', 'constructor', 'toString'].map((n) => part(`${DISPOSITION}"${n}"`).repeat(900)).join('') + END,
      ],
      ['a form in a form, 900 times', () => part('Content-Type: multipart/mixed; boundary=hostile').repeat(900) + END],
      [
        'codings of parts',
        () =>
          ['base64', 'quoted-printable', 'x']
            .map((c) => part(`${DISPOSITION}"f"\r\nContent-Transfer-Encoding: ${c}`, '='.repeat(90_000)))
            .join('') + END,
      ],
      [
        'charsets of parts',
        () =>
          part(
            `${DISPOSITION}"f"; filename*=utf-16''${'%d8%00'.repeat(9000)}\r\nContent-Type: text/plain; charset=utf-7`,
          ) + END,
      ],
      ['disposition of 60 kB of parameters', () => part(`${DISPOSITION}"f"; ${'a=b; '.repeat(12_000)}`) + END],
      ['quotes that do not end', () => part(`${DISPOSITION}"${'\\"'.repeat(30_000)}`) + END],
      ['line feeds alone', () => `--hostile\n${DISPOSITION}"f"\n\nx\n--hostile--\n`.repeat(9000)],
      ['zeros', () => part(`${DISPOSITION}"\0"; filename="\0"`, '\0'.repeat(90_000)) + END],
    ] as const
  ).map(([name, make]) => anonymousRequest(`${path}: ${name}`, path, make, FORM)),
);

const heads = [
  '/workflows/headers',
  '/workflows/echo',
  '/elsa/api/workflow-instances',
  '/health/live',
  '/none',
].flatMap((path) => [
  ...['[b][c]=1&', '[]=1&', '.b.c=1&', '[__proto__]=1&', '%00=1&', '%ed%a0%80=1&', '=&', ';', '+=+&'].map((pair) =>
    bytes(`${path}: parameters a${pair}`, () => [
      `GET ${path}?${`a${pair}`.repeat(13_000 / (pair.length + 1))} HTTP/1.1\r\nHost: h\r\n${LAST}${BY_KEY}\r\n`,
    ]),
  ),
  ...['%2e%2e/', '%2e%2e%2f', '..;/', '%5c..', '//', '%00', '%c0%ae', '%25', '*', '(', '{a}', ':a/'].map((piece) =>
    bytes(`${path}: a path of ${piece}`, () => [
      `GET ${path}/${piece.repeat(13_000 / piece.length)} HTTP/1.1\r\nHost: h\r\n${LAST}${BY_KEY}\r\n`,
    ]),
  ),
  ...(
    [
      ['cookies without values', 'Cookie', '=;'],
      ['cookies of objects', 'Cookie', '__proto__=1; '],
      ['forwarded addresses', 'X-Forwarded-For', '1.1.1.1, '],
      ['accepted types', 'Accept', 'a/b;q=0.1, '],
      ['accepted codings', 'Accept-Encoding', 'gzip;q=0, '],
      ['accepted languages', 'Accept-Language', 'a-b-c, '],
      ['tags', 'If-None-Match', 'W/"a", '],
      ['ranges', 'Range', 'bytes=0-1,'],
      ['an authorization of blanks', 'Authorization', ' '],
      ['an authorization of points', 'Authorization', 'Bearer a.'],
      ['a type of parameters', 'Content-Type', 'a/b; c=d; '],
      ['a trace', 'traceparent', '00-'],
      ['a key of repetition', 'Idempotency-Key', 'k'],
    ] as const
  ).map(([name, header, piece]) =>
    bytes(`${path}: ${name}`, () => [
      `POST ${path} HTTP/1.1\r\nHost: h\r\n${LAST}${header}: ${piece.repeat(13_000 / piece.length)}\r\nContent-Length: 2\r\n\r\n{}`,
    ]),
  ),
]);

/** Ids that databases do not take. */
const IDS = [
  '%00',
  'a%00b',
  '%ed%a0%80',
  '%f0%9f%98%80'.repeat(200),
  'x'.repeat(3000),
  '%27%22%60--',
  '%5c',
  '+',
  '%0d%0aX:%20y',
  '-1',
  '1e400',
];
const ids = IDS.flatMap((id) =>
  [
    `/workflow-instances/${id}`,
    `/workflow-instances/${id}/journal`,
    `/workflow-definitions/${id}`,
    `/workflow-definitions/by-definition-id/${id}`,
    `/activity-executions/${id}`,
    `/alterations/${id}`,
    `/bulk-actions/plans/${id}`,
    `/user-tasks/${id}`,
    `/outbox/dead-letters/${id}`,
    `/audit?targetId=${id}`,
    `/workflow-instances?searchTerm=${id}&correlationId=${id}&definitionIds=${id}`,
    `/workflow-definitions?searchTerm=${id}&page=99999999&pageSize=99999999`,
    `/bookmarks/resume?t=${id}`,
  ].map((path) => apiRequest(`GET ${path}`, path, () => '', { method: 'GET', type: {} })),
);

export const protocolCorpora: readonly (readonly HostileRequest[])[] = [inCrumbs, toEach, forms, heads, ids];
