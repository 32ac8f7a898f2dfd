import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BuiltHost } from '../support/built-host.js';
import { itAfterQuick, pairsOf } from '../support/pairs.js';
import { OwnHost } from './own-host.js';

const HOST_TEST_MS = 120_000;
const API = '/elsa/api/workflow-definitions';

/** `fetch` would not let us say who we pretend to be. */
function status(url: string, headers: Record<string, string>, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
    });
    sent.once('error', reject);
    sent.end();
  });
}

describe('a host without a key', () => {
  const host = new OwnHost();
  beforeAll(() => host.start(), HOST_TEST_MS);
  afterAll(() => host.remove());

  it.each([
    ['a page from elsewhere', { origin: 'https://evil.example' }],
    ['a picture on a page from elsewhere', { 'sec-fetch-site': 'cross-site' }],
    ['a page whose name was made to point here', { host: 'evil.example' }],
  ])('refuses %s at its API', async (_what, headers) => {
    expect(await status(host.url + API, headers)).toBe(403);
    expect(await status(host.url + API, headers, 'POST')).toBe(403);
    expect(await status(`${host.url}/elsa/hubs/workflow-instance/negotiate`, headers, 'POST')).toBe(403);
  });

  it('refuses them under any spelling of its paths, but not a signed link, which its own signature refuses', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await status(`${host.url}/elsa/%61pi/workflow-definitions`, headers)).toBe(403);
    expect(await status(`${host.url}/ELSA/API/workflow-definitions`, headers)).toBe(403);
    // Routers decode the path alone, and do so whatever the query is.
    for (const query of ['?x=%ZZ', '?%', '?x=%E4']) {
      expect(await status(`${host.url}/elsa/%61pi/workflow-definitions${query}`, headers)).toBe(403);
      expect(await status(`${host.url}/elsa/%61pi/admin/workflow-runtime/pause${query}`, headers, 'POST')).toBe(403);
      expect(await status(`${host.url}/%65lsa/hubs/workflow-instance/negotiate${query}`, headers, 'POST')).toBe(403);
    }
    expect(await status(`${host.url}/elsa/api/events/trigger%3Ft=/trigger`, headers, 'POST')).toBe(403);
    const answers = [
      await status(`${host.url}/elsa/api/bookmarks/resume?t=none`, headers),
      await status(`${host.url}/elsa/api/bookmarks/resume?t=none`, {}),
    ];
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).not.toBe(403);
  });

  it.each([
    ['programs', {}],
    ['a page of this machine', { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' }],
    ['a caller that calls it localhost', { host: 'localhost:3000' }],
  ])('serves %s', async (_what, headers) => {
    expect(await status(host.url + API, headers)).toBe(200);
  });

  it('allows calls of its HTTP workflows from any page, as the application decides', async () => {
    expect(await status(`${host.url}/workflows/hello/ada`, { origin: 'https://shop.example' })).toBe(200);
  });
});

const MISTAKES: [what: string, env: Record<string, string>, sentence: RegExp][] = [
  ['no file', { DATABASE_URL: 'sqlite:' }, /WM9001: .*does not name a file/],
  [
    'a path that is not a folder',
    { DATABASE_URL: 'sqlite:/dev/null/x.db' },
    /WM7014: .*"\/dev\/null\/x\.db".*Correct the path/,
  ],
  ['a host of no network', { HOST: 'nosuchhost.invalid', WAYMARK_API_KEY: 'k' }, /HOST is not a/],
];

describe('a host that cannot start', () => {
  // A process each: a quick run has one of them.
  it.each(pairsOf(MISTAKES, MISTAKES[0]!))('explains the reason in a sentence: %s', async (_what, env, sentence) => {
    const host = new BuiltHost(env);
    const failure: Error = await host.start().then(
      () => new Error('it started'),
      (error: Error) => error,
    );
    await host.remove();
    expect(failure.message).toMatch(sentence);
    expect(failure.message).not.toMatch(/^\s+at /m);
  });
});

itAfterQuick('a host starts on an address of IPv6', async () => {
  const host = new BuiltHost({ HOST: '::1' });
  await host.start();
  await host.remove();
});

itAfterQuick('a host names a port that is taken once', async () => {
  const first = new BuiltHost();
  await first.start();
  const second = new BuiltHost({ PORT: new URL(first.url).port });
  const failure = await second.start().then(
    () => '',
    (error: Error) => error.message,
  );
  await Promise.all([first.remove(), second.remove()]);
  expect(failure.match(/EADDRINUSE/g)).toHaveLength(1);
  expect(failure).toContain('Another process listens there already: stop it, or set PORT.');
});

itAfterQuick('a host ends at once on SIGTERM while it waits for its database, and says so', async () => {
  // Nothing listens on that port; the host tries it for 15 seconds.
  const host = new BuiltHost({ DATABASE_URL: 'postgres://waymark:waymark@127.0.0.1:1/none' });
  await host.start('Retrying for 15 seconds');
  expect(await host.end('SIGTERM')).toBe(143);
  await host.says('SIGTERM before the host was ready: the process ends with code 143.');
  await host.remove();
});
