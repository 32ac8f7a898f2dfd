import { strToU8, zipSync } from 'fflate';
import { authorCorpus } from './author-corpus.js';
import { bulkCorpora } from './bulk-corpus.js';
import { crashCorpora } from './crash-corpus.js';
import { conversionCorpus } from './conversion-corpus.js';
import {
  anonymousRequest,
  apiRequest,
  completeRequest,
  filePart,
  form,
  FORM,
  type HostileRequest,
} from './hostile-request.js';
import { instanceCorpus } from './instance-corpus.js';
import { nestedCorpus } from './nested-corpus.js';
import { notesCorpus } from './notes-corpus.js';
import { routeCorpus } from './route-corpus.js';
import { protocolCorpora } from './protocol-corpus.js';
import { searchCorpus } from './search-corpus.js';
import { secretCorpus } from './secret-corpus.js';
import { textCorpora } from './text-corpus.js';
import { wideCorpus } from './wide-corpus.js';
import { wireCorpora } from './wire-corpus.js';

const MB = 1_000_000;
/** A list of that many values within the given text. */
const many = (value: string, times: number): string => `[${Array(times).fill(value).join(',')}]`;
const members = (times: number): string => `{${Array.from({ length: times }, (_, i) => `"m${i}":${i}`).join(',')}}`;
const deep = (opening: string, times: number, closing = ''): string => opening.repeat(times) + closing.repeat(times);

/** JSON texts that cost more than they look. */
const TEXTS: readonly (readonly [name: string, text: () => string])[] = [
  ['20,000 empty lists', () => many('[]', 20_000)],
  ['99,000 empty lists', () => many('[]', 99_000)],
  ['300,000 empty lists', () => many('[]', 300_000)],
  ['3,000,000 empty lists', () => many('[]', 3 * MB)],
  ['45,000 objects', () => many('{"a":1}', 45_000)],
  ['49,000 members', () => members(49_000)],
  ['90,000 members', () => members(90_000)],
  ['a text of 900 kB', () => JSON.stringify('x'.repeat(900_000))],
  ['a text of 9 MB', () => JSON.stringify('x'.repeat(9 * MB))],
  ['a text of 100 kB escaped', () => `"${'\\u0041'.repeat(100_000)}"`],
  ['900 levels', () => deep('[', 900, ']')],
  ['50,000 levels', () => deep('[', 50_000, ']')],
  ['50,000 open levels', () => deep('{"a":', 50_000)],
  ['a prototype', () => '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}'],
  ['90,000 numbers of 10 digits', () => many('1234567890', 85_000)],
  ['a number of 900,000 digits', () => '1'.repeat(900_000)],
  ['half a surrogate pair', () => '"\\ud800"'],
  ['half a surrogate pair as a name', () => '{"\\udfff":"\\ud83d"}'],
  ['a name ten times', () => `{${Array.from({ length: 10 }, (_, i) => `"a":${i}`).join(',')}}`],
  ['numbers beyond all', () => '[1e999,-1e999,1e-999,-0,123456789012345678901234567890]'],
  ['nothing', () => ''],
  ['null', () => 'null'],
  [
    'a long name with a thousand colons, 300 times',
    () => `{"${'x'.repeat(400_000)}"${`${':'.repeat(1000)}{`.repeat(300)}`,
  ],
  ['100,000 empty strings', () => `[${'"" '.repeat(100_000)}]`],
];

/** Bodies around such a text, for routes that read members. */
const ROUTES: readonly (readonly [path: string, around: (text: string) => string])[] = [
  ['/workflow-definitions/echo/execute', (text) => `{"input":{"a":${text}}}`],
  ['/workflow-definitions/keep/dispatch', (text) => `{"input":{"a":${text}}}`],
  [
    '/workflow-definitions',
    (text) => `{"model":{"customProperties":{"a":${text}},"root":{"type":"Elsa.Sequence","x":${text}}}}`,
  ],
  ['/workflow-definitions/import', (text) => `{"variables":${text},"root":{"type":"Elsa.WriteLine","text":${text}}}`],
  ['/bulk-actions/delete/workflow-definitions/by-definition-id', (text) => `{"definitionIds":${text}}`],
  ['/bulk-actions/cancel/workflow-instances', (text) => `{"ids":${text}}`],
  ['/workflow-instances', (text) => `{"definitionIds":${text}}`],
  ['/events/other/trigger', (text) => `{"input":${text}}`],
  ['/alterations/dry-run', (text) => `{"workflowInstanceIds":${text}}`],
  ['/alterations/run', (text) => `{"alterations":${text},"workflowInstanceIds":["a"]}`],
  ['/scripting/javascript/type-definitions/echo', (text) => `{"activityTypeName":${text}}`],
  ['/tasks/none/complete', (text) => `{"result":${text}}`],
];

const toApi = ROUTES.flatMap(([path, around]) =>
  TEXTS.map(([name, text]) => apiRequest(`${path}: ${name}`, path, () => around(text()))),
);

const TEXT = { 'Content-Type': 'text/plain' };
/** Texts that cost those who look for secrets in them more than they look. */
const SEARCHED: readonly (readonly [name: string, text: () => string])[] = [
  ['a URL of 9 MB', () => `a://${'x'.repeat(9 * MB)}`],
  ['900,000 URLs', () => 'a://b?c=d '.repeat(0.9 * MB)],
  ['a URL with 4,000,000 parameters', () => `a://b?${'a&'.repeat(4 * MB)}=`],
  ['a password of 9 MB', () => `{"password":"${'x'.repeat(9 * MB)}"}`],
  ['a password of 9 MB of backslashes', () => `{"password":"${'\\\\'.repeat(2 * MB)}`],
  ['1,500,000 members', () => `{${'"a":1,'.repeat(1.5 * MB)}`],
  ['9 MB of quotation marks', () => `[${'"'.repeat(9 * MB)}`],
  ['9 MB of white space after a name', () => `{"a"${' '.repeat(9 * MB)}`],
  ['9 MB of a', () => 'a'.repeat(9 * MB)],
  ['9 MB beyond Latin', () => 'ж'.repeat(4.5 * MB)],
];
/** Two hundred secrets that are hard to tell from such a text. */
const COOKIES = { Cookie: Array.from({ length: 200 }, (_, i) => `${'a'.repeat(60)}${i}`).join('; ') };

const toTexts = ['/workflows/echo', '/workflows/text'].flatMap((path) =>
  SEARCHED.flatMap(([name, text]) => [
    anonymousRequest(`${path}: ${name}, 200 cookies`, path, text, { ...TEXT, ...COOKIES }),
    anonymousRequest(`${path}: ${name} as JSON`, path, text),
  ]),
);

const MANY_TEXTS = () => JSON.stringify(Array.from({ length: 29_000 }, (_, i) => `${'a'.repeat(300)}${i}`));

/** As much as an endpoint takes that says nothing of limits. */
const toUploads = ['/workflows/echo', '/workflows/keep'].flatMap((path) => [
  ...[1, 5, 9.9].map((megabytes) =>
    anonymousRequest(
      `${path}: a file of ${megabytes} MB`,
      path,
      () => form([filePart('a', Buffer.alloc(megabytes * MB, 'hostile'))]),
      FORM,
    ),
  ),
  anonymousRequest(
    `${path}: 990 files of 10 kB`,
    path,
    () => form(Array.from({ length: 990 }, (_, i) => filePart(`${i}`, Buffer.alloc(10_000, i)))),
    FORM,
  ),
  anonymousRequest(`${path}: a body of 9.9 MB without a type that is known`, path, () => Buffer.alloc(9.9 * MB, 'x'), {
    'Content-Type': 'application/octet-stream',
  }),
  anonymousRequest(
    `${path}: one field of 9.9 MB`,
    path,
    () => form([{ head: 'Content-Disposition: form-data; name="f"', content: Buffer.alloc(9.9 * MB, 'x') }]),
    FORM,
  ),
  anonymousRequest(`${path}: one encoded field of 9.9 MB`, path, () => `f=${'%41'.repeat(3.3 * MB)}`, {
    'Content-Type': 'application/x-www-form-urlencoded',
  }),
  anonymousRequest(`${path}: 29,000 texts of 300 characters, 200 cookies`, path, MANY_TEXTS, {
    'Content-Type': 'application/json',
    ...COOKIES,
  }),
]);

const toEndpoints = ['/workflows/echo', '/workflows/keep'].flatMap((path) => [
  ...TEXTS.map(([name, text]) => anonymousRequest(`${path}: ${name}`, path, text)),
  anonymousRequest(`${path}: 9,000 fields`, path, () => Array.from({ length: 9000 }, (_, i) => `f${i}=1`).join('&'), {
    'Content-Type': 'application/x-www-form-urlencoded',
  }),
  anonymousRequest(`${path}: one field 9,000 times`, path, () => Array(9000).fill('f=1').join('&'), {
    'Content-Type': 'application/x-www-form-urlencoded',
  }),
  anonymousRequest(
    `${path}: 9,000 files`,
    path,
    () => form(Array.from({ length: 9000 }, () => filePart('a', ''))),
    FORM,
  ),
  anonymousRequest(
    `${path}: one field of a form 9,000 times`,
    path,
    () =>
      form(Array.from({ length: 9000 }, () => ({ head: 'Content-Disposition: form-data; name="f"', content: '1' }))),
    FORM,
  ),
  anonymousRequest(
    `${path}: a file named __proto__`,
    path,
    () => form([filePart('__proto__', 'x', '__proto__')]),
    FORM,
  ),
  anonymousRequest(`${path}: a file of 20 MB`, path, () => form([filePart('a', 'x'.repeat(20 * MB))]), FORM),
  anonymousRequest(`${path}: 2 MB of boundaries`, path, () => '--hostile\r\n'.repeat(180_000), FORM),
  anonymousRequest(`${path}: 2 MB of hyphens`, path, () => '\r\n--hostil'.repeat(200_000), FORM),
  anonymousRequest(
    `${path}: a part with 2 MB of headers`,
    path,
    () => `--hostile\r\n${'a: b\r\n'.repeat(300_000)}`,
    FORM,
  ),
  anonymousRequest(
    `${path}: a long part without a head`,
    path,
    // Not by `form`, which would put the end of a head there.
    () => `--hostile\r\n\r\n${'L'.repeat(50_000)}\r\n--hostile--\r\n`,
    FORM,
  ),
  anonymousRequest(`${path}: a form without boundary`, path, () => 'x', { 'Content-Type': 'multipart/form-data' }),
  anonymousRequest(`${path}: a text of 20 MB`, path, () => 'x'.repeat(20 * MB), { 'Content-Type': 'text/plain' }),
]);

const toLogin = TEXTS.map(([name, text]) =>
  anonymousRequest(`login: ${name}`, '/elsa/api/identity/login', () => `{"username":"a","x":${text()}}`),
);
const toResume = TEXTS.map(([name, text]) =>
  anonymousRequest(`resume: ${name}`, '/elsa/api/bookmarks/resume?t=none', () => `{"input":{"a":${text()}}}`),
);

const activity = (i: number) => `{"type":"Elsa.WriteLine","id":"W${i}","text":"x"}`;
const sequence = (count: number): string =>
  `{"name":"many","root":{"type":"Elsa.Sequence","activities":[${Array.from({ length: count }, (_, i) => activity(i)).join(',')}]}}`;
const rootWith = (data: string): string => `{"root":{"type":"Elsa.Sequence","customProperties":{"data":${data}}}}`;
const zipOf = (files: Record<string, string>): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), { level: 9 }),
  );
const upload = (name: string, path: string, parts: () => Parameters<typeof form>[0]): HostileRequest =>
  apiRequest(name, path, () => form(parts()), { type: FORM });

const imports = [
  ...[2_000, 9_999, 100_000].map((count) =>
    apiRequest(`import of ${count} activities`, '/workflow-definitions/import?publish=true', () => sequence(count)),
  ),
  apiRequest('import of 450,000 names', '/workflow-definitions/import', () => rootWith(members(450_000))),
  apiRequest('import of 90,000 names, five times', '/workflow-definitions/import', () =>
    rootWith(many(members(90_000), 5)),
  ),
  apiRequest('import of 480,000 texts', '/workflow-definitions/import', () => rootWith(many('"abc"', 480_000))),
  apiRequest('import of a text of 30 MB', '/workflow-definitions/import', () => rootWith(`"${'x'.repeat(30 * MB)}"`)),
  apiRequest(
    'import of activities in activities',
    '/workflow-definitions/import',
    () => `{"root":${'{"type":"Elsa.Sequence","activities":['.repeat(400)}${']}'.repeat(400)}}`,
  ),
  apiRequest(
    'import of 90,000 connections',
    '/workflow-definitions/import',
    () =>
      `{"root":{"type":"Elsa.Flowchart","activities":[${activity(1)}],"connections":${many('{"source":"W1","target":"W1"}', 45_000)}}}`,
  ),
  ...['/workflow-definitions/import-files', '/bulk-actions/import/workflow-instances'].flatMap((path) => [
    upload(`${path}: a zip of 200 MB`, path, () => [filePart('a.zip', largeZip())]),
    upload(`${path}: a zip of 20,000 files`, path, () => [filePart('a.zip', zipOfMany())]),
    upload(`${path}: a zip that lies about its size`, path, () => [filePart('a.zip', lyingZip())]),
    upload(`${path}: a file named __proto__`, path, () => [filePart('__proto__', '{}')]),
    upload(`${path}: a zip with __proto__`, path, () => [filePart('a.zip', zipOf({ '../__proto__.json': '{}' }))]),
    upload(`${path}: half a zip`, path, () => [
      filePart('a.zip', zipOf({ 'a.json': 'x'.repeat(1000) }).subarray(0, 40)),
    ]),
    upload(`${path}: 1,001 files`, path, () => Array.from({ length: 1001 }, (_, i) => filePart(`${i}.json`, '{}'))),
    upload(`${path}: 3,000,000 lists`, path, () => [filePart('a.json', many('[]', 3 * MB))]),
    upload(`${path}: malformed JSON of 9 MB`, path, () => [filePart('a.json', `[${'1,'.repeat(4 * MB)}`)]),
  ]),
];

/** Made once: they take longer to make than the host takes to refuse them. */
const once = (make: () => Buffer): (() => Buffer) => {
  let made: Buffer | undefined;
  return () => (made ??= make());
};
const largeZip = once(() => zipOf({ 'a.json': ' '.repeat(200 * MB) }));
const zipOfMany = once(() => zipOf(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`${i}.json`, '{}']))));

/** Says that 10 bytes come out, while 50 MB do. */
function lyingZip(): Buffer {
  const zip = zipOf({ 'a.json': ' '.repeat(50 * MB) });
  for (let at = 0; at < zip.length - 46; at++) {
    const signature = zip.readUInt32LE(at);
    if (signature === 0x04034b50) zip.writeUInt32LE(10, at + 22);
    if (signature === 0x02014b50) zip.writeUInt32LE(10, at + 24);
  }
  return zip;
}

/** Of about a megabyte, with as many values as an endpoint takes. */
const megabyte = (): string =>
  JSON.stringify(Array.from({ length: 7200 }, (_, i) => ({ a: `${'text '.repeat(20)}${i}`, b: i, c: null })));

/** An event for which so many instances wait: each loads its state, computes, and stores it. */
const eventFor = (name: string, path: string, count: number, body: () => string): HostileRequest => ({
  ...apiRequest(name, `/events/${path}/trigger`, () => '{}'),
  before: Array.from({ length: count }, (_, i) => anonymousRequest(`${name}, ${i}`, `/workflows/${path}`, body)),
});

/** All that is large in a way of its own, three times. */
const hoarded: readonly HostileRequest[] = [0, 1, 2].flatMap((round) => {
  const named = (name: string) => `hoarded ${name}, ${round}`;
  return [
    ...SEARCHED.map(([name, text]) => anonymousRequest(named(name), '/workflows/hoard', text, { ...TEXT, ...COOKIES })),
    anonymousRequest(named('texts'), '/workflows/hoard', MANY_TEXTS),
    anonymousRequest(named('file'), '/workflows/hoard', () => form([filePart('a', Buffer.alloc(9.9 * MB, 'x'))]), FORM),
  ];
});

/** The first one takes half a second, the others up to half a minute each. */
const toMany = [
  eventFor('an event for 20 instances of 300 kB', 'crowd', 20, () => JSON.stringify('x'.repeat(300_000))),
  eventFor('an event for 90 instances of 300 kB', 'crowd', 90, () => JSON.stringify('x'.repeat(300_000))),
  { ...apiRequest('an event for instances that keep all sorts', '/events/hoard/trigger', () => '{}'), before: hoarded },
  eventFor('an event for 40 instances of 1 MB', 'crowd', 40, megabyte),
  eventFor('an event for 5 instances of 10 MB', 'hoard', 5, () => JSON.stringify('x'.repeat(9 * MB))),
  eventFor('an event for 40 instances that compute', 'thinkers', 40, () => '1000000'),
];

/** 3 MB in chunks of a byte: each is 6 bytes on the wire. */
const crumbs = (path: string, type: string, before: string, after: string, headers = ''): HostileRequest =>
  completeRequest(`${path}: 3 MB of ${type} in chunks of a byte`, () =>
    Buffer.concat([
      Buffer.from(
        `POST ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nContent-Type: ${type}\r\n${headers}\r\n`,
      ),
      Buffer.from(Array.from(before, (char) => `1\r\n${char}\r\n`).join('')),
      Buffer.from('1\r\nx\r\n'.repeat(3 * MB)),
      Buffer.from(`${Array.from(after, (char) => `1\r\n${char}\r\n`).join('')}0\r\n\r\n`),
    ]),
  );

const PART = '--hostile\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n';
const URL_ENCODED = { 'Content-Type': 'application/x-www-form-urlencoded' };
const toReaders = [
  ...['+', '%41', '%', '='].map((piece) =>
    anonymousRequest(
      `/workflows/echo: one field of 9.9 MB of ${piece}`,
      '/workflows/echo',
      () => `a=${piece.repeat((9.9 * MB) / piece.length)}`,
      URL_ENCODED,
    ),
  ),
  ...['gb18030', 'iso-2022-jp', 'big5', 'windows-1252', 'utf-8'].flatMap((charset) => [
    anonymousRequest(
      `/workflows/echo: a form of 9.9 MB in ${charset}`,
      '/workflows/echo',
      () => Buffer.concat([Buffer.from('a='), Buffer.alloc(9.9 * MB, 0x81)]),
      { 'Content-Type': `application/x-www-form-urlencoded; charset=${charset}` },
    ),
    anonymousRequest(
      `/workflows/echo: fields of 0.9 MB in ${charset}`,
      '/workflows/echo',
      () => {
        const head = `Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=${charset}`;
        return form(Array.from({ length: 10 }, () => ({ head, content: Buffer.alloc(900_000, 0x81) })));
      },
      FORM,
    ),
  ]),
  anonymousRequest(
    '/workflows/echo: one field of 9.9 MB of invalid UTF-8',
    '/workflows/echo',
    () => `a=${'%FF'.repeat(3.3 * MB)}`,
    URL_ENCODED,
  ),
];
/** The first one is refused within a second; the others are read for up to half a minute. */
const inCrumbs = [
  crumbs('/elsa/api/identity/login', 'application/json', '"', '"'),
  crumbs('/workflows/echo', 'application/json', '"', '"'),
  crumbs('/workflows/echo', 'application/x-www-form-urlencoded', 'a=', ''),
  crumbs('/workflows/echo', 'multipart/form-data; boundary=hostile', PART, '\r\n--hostile--\r\n'),
  crumbs('/elsa/api/workflow-definitions/import', 'application/json', '"', '"', 'Authorization: ApiKey key\r\n'),
  crumbs(
    '/elsa/api/workflow-definitions/import-files',
    'multipart/form-data; boundary=hostile',
    PART,
    '\r\n--hostile--\r\n',
    'Authorization: ApiKey key\r\n',
  ),
];

const SHORT_BOUNDARY = { 'Content-Type': 'multipart/form-data; boundary=a', 'Idempotency-Key': 'hostile' };
/** Scripts that take their parser much longer than others of that length. */
const NAMES = `let ${Array.from({ length: 14_000 }, (_, i) => `n${i}`).join(',')}`;
const scripted = (count: number): string =>
  JSON.stringify({
    model: {
      root: {
        type: 'Elsa.Sequence',
        activities: Array.from({ length: count }, (_, i) => ({
          type: 'Elsa.WriteLine',
          id: `W${i}`,
          text: { typeName: 'String', expression: { type: 'JavaScript', value: NAMES } },
        })),
      },
    },
  });
const lost = JSON.stringify({
  model: {
    root: {
      type: 'Elsa.Flowchart',
      id: 'F'.repeat(200_000),
      activities: [],
      connections: Array.from({ length: 15_000 }, () => ({ source: { activity: 'A' }, target: { activity: 'B' } })),
    },
  },
});
const validated = [
  ...['/workflows/echo', '/workflows/keep'].map((path) =>
    anonymousRequest(`${path}: 9 MB of a short boundary`, path, () => '--a'.repeat(3 * MB), SHORT_BOUNDARY),
  ),
  apiRequest('validate: 90 scripts of 80 kB', '/workflow-definitions/validate', () => scripted(90)),
  apiRequest('validate: 15,000 lost connections', '/workflow-definitions/validate', () => lost),
  apiRequest('validate: 29,000 inputs', '/workflow-definitions/validate', () =>
    JSON.stringify({
      model: {
        inputs: Array.from({ length: 29_000 }, (_, i) => ({ name: `input ${i}`, type: 'String' })),
        root: { type: 'Elsa.Sequence' },
      },
    }),
  ),
];

/**
 * What once held the process up or was answered with a fault, or looked as if it could be: one list for each kind, of which a quick
 * run takes a sample. New findings go at the end of theirs. What may end the process has a specification of its own.
 */
export const bodyCorpora: readonly (readonly HostileRequest[])[] = [
  toLogin,
  toResume,
  toEndpoints,
  toApi,
  imports,
  toTexts,
  toUploads,
  toMany,
  routeCorpus,
  toReaders,
  inCrumbs,
  ...textCorpora,
  validated,
  ...wireCorpora,
  conversionCorpus,
  ...bulkCorpora,
  wideCorpus,
  ...protocolCorpora,
  authorCorpus,
  notesCorpus,
  instanceCorpus,
  nestedCorpus,
  searchCorpus,
  secretCorpus,
];
/** All of them, as `npm run hostile` sends them. */
export const bodyCorpus: readonly HostileRequest[] = [...bodyCorpora, ...crashCorpora].flat();
