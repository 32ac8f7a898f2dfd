import { describe, expect, it } from '@jest/globals';
import { createDefaultTypeRegistry } from '../values/default-types.js';
import { BurstSecrets } from './burst-secrets.js';
import { Redaction } from './redaction.js';

const redaction = new Redaction();
const types = createDefaultTypeRegistry();
const secrets = (...received: string[]) => {
  const known = new BurstSecrets();
  for (const text of received) known.receive(text);
  return known;
};

describe('redaction of shown values', () => {
  it('hides members by their names, however they are spelt, and keeps lists, flags and nulls', () => {
    const shown = redaction.shown({
      Authorization: 'Bearer abc',
      nested: [{ 'X-Api-Key': ['a', 'b'], api_key: 'k', clientSecret: { a: 1 }, pin: 1 }],
      password: null,
      hasPassword: true,
      Secret: false,
    });
    expect(shown).toEqual({
      Authorization: '(redacted)',
      nested: [
        { 'X-Api-Key': ['(redacted)', '(redacted)'], api_key: '(redacted)', clientSecret: '(redacted)', pin: 1 },
      ],
      password: null,
      hasPassword: true,
      Secret: false,
    });
  });

  it.each([
    'X-Shopify-Access-Token',
    'X-Forwarded-Authorization',
    'X-RapidAPI-Key',
    'X-Webhook-Secret',
    'X-Session-Token',
  ])('knows the header %s', (name) => expect(redaction.isSensitive(name)).toBe(true));

  it('recognises signatures and short passwords in queries, but not names that merely contain them', () => {
    expect(['sig', 'pwd', 'signal', 'design', 'pageToken'].map(redaction.isSensitive)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('changes nothing in place and copies nothing without a secret', () => {
    const plain = { list: [{ a: 1 }], map: new Map([['a', 'b']]), set: new Set(['a']), at: new Date(0) };
    expect(redaction.shown(plain)).toBe(plain);
    const value = { plain, headers: { cookie: 'a=b' } };
    expect(redaction.shown(value).plain).toBe(plain);
    expect(value.headers).toEqual({ cookie: 'a=b' });
  });

  it('hides secrets in maps and sets, and does not change circular values', () => {
    const circle: Record<string, unknown> = { password: 'p' };
    circle.self = circle;
    expect(redaction.shown(new Map([['cookie', 'a']]))).toEqual(new Map([['cookie', '(redacted)']]));
    expect(redaction.shown(new Set(['http://a:b@c/']))).toEqual(new Set(['http://a:(redacted)@c/']));
    expect(redaction.shown(circle)).toMatchObject({ password: '(redacted)' });
  });

  it.each([
    ['GET http://ann:pw@host:80/a?x=1 failed', 'GET http://ann:(redacted)@host:80/a?x=1 failed'],
    ['https://token@host', 'https://(redacted)@host'],
    ['https://host/a@b?api_key=k&x=1#f', 'https://host/a@b?api_key=(redacted)&x=1#f'],
    ['"https://host/?a=1&access%5Ftoken=k"', '"https://host/?a=1&access%5Ftoken=(redacted)"'],
    ['postgres://a:b@c/d and mysql://e:f@g/h', 'postgres://a:(redacted)@c/d and mysql://e:(redacted)@g/h'],
    ['mail ann@host about https://host', 'mail ann@host about https://host'],
    ['//ann:pw@host/a?api_key=k', '//ann:(redacted)@host/a?api_key=(redacted)'],
    ['/orders?id=1&api_key=k#f and ?token=t', '/orders?id=1&api_key=(redacted) and ?token=(redacted)'],
    ['http://ann:pw@bad host/?api_key=k&x=1 failed', 'http://ann:(redacted)@bad host/?api_key=(redacted)&x=1 failed'],
    [`http://ann:p w'"x@host/`, 'http://ann:(redacted)@host/'],
    ['//https://ann:pw@host/?api_key=k', '//https://ann:(redacted)@host/?api_key=(redacted)'],
    ['/a//b,https://ann:pw@host', '/a//b,https://ann:(redacted)@host'],
    ['//a?b=1,https://host?api_key=k', '//a?b=1,https://host?api_key=(redacted)'],
    ['https://token@host:443 failed, ask ann@host', 'https://(redacted)@host'],
    ['// by: ann@host', '// by: ann@host'],
    ['http://localhost:3000 failed, ask ann@host', 'http://localhost:3000 failed, ask ann@host'],
    ['https://host and mail ann@host', 'https://host and mail ann@host'],
    ['why? token=t // by ann@host, x=1', 'why? token=t // by ann@host, x=1'],
    ['{"user":"a","password" : "p\\"q","pin":12}', '{"user":"a","password" : "(redacted)","pin":12}'],
    ['[{"api-key":123},{"secret":"cut', '[{"api-key":"(redacted)"},{"secret":"(redacted)"'],
    [
      '{"a":"x","password":{"a":1},"secret":-1.5e3,"b":2}',
      '{"a":"x","password":"(redacted)","secret":"(redacted)","b":2}',
    ],
    ['{"password":"a\\\\","b":"c","secret":"', '{"password":"(redacted)","b":"c","secret":"(redacted)"'],
  ])('hides in texts: %s', (text, shown) => {
    expect(redaction.shownText(text)).toBe(shown);
  });

  it.each([
    ['obj?.password=foo', 'obj?.password=foo'],
    ['if (a) b?.c.secret=d;', 'if (a) b?.c.secret=d;'],
    ['//user?.token=1', '//user?.token=1'],
    ['user?.a=1&token=2', 'user?.a=1&token=(redacted)'],
    ['/orders?token=2', '/orders?token=(redacted)'],
    ['https://host/?.token=2', 'https://host/?.token=(redacted)'],
    ['//host/p?.password=2', '//host/p?.password=(redacted)'],
  ])('tells queries from optional members of code: %s', (text, shown) => {
    expect(redaction.shownText(text)).toBe(shown);
  });

  it('hides what the burst knows as a secret, whole or what follows its scheme', () => {
    const known = secrets('Bearer abcdefghijkl', 'theme=dark; session=mnopqrstuvwx', 'short');
    const text = 'Bearer abcdefghijkl | abcdefghijkl | mnopqrstuvwx | short | dark';
    expect(redaction.shownText(text, known)).toBe('(redacted) | (redacted) | (redacted) | short | dark');
  });

  it('hides the longer of two secrets that begin alike, whichever is known first', () => {
    const known = new BurstSecrets();
    known.name('partner-key-1');
    known.name('partner-key-1-of-production');
    expect(redaction.shownText('a partner-key-1-of-production b', known)).toBe('a (redacted) b');
    expect(known.withoutNamed('a partner-key-1-of-production b')).toBe('a (redacted) b');
  });

  it('hides each of many secrets of the host, which have escaped forms as well', () => {
    const known = new BurstSecrets();
    const secrets = Array.from({ length: 150 }, (_, i) => `${Buffer.from(`key number ${i}?>`).toString('base64')}+/=`);
    for (const secret of secrets) known.name(secret);
    for (const secret of secrets)
      for (const text of [secret, encodeURIComponent(secret)]) expect(known.mask(`x ${text} y`)).toBe('x (redacted) y');
    for (const secret of secrets) expect(known.maskError(`near ${secret.slice(4, 18)}`)).toBe('near (redacted)');
  });

  it('hides secrets of the host that are escaped for JSON, a URL or a form', () => {
    const known = new BurstSecrets();
    const secret = '{"user":"ann","pass":"two words\'s ~"}';
    known.name(secret);
    const forms = encodeURIComponent(secret);
    const texts = [
      JSON.stringify({ secret }),
      forms,
      forms.toLowerCase(),
      encodeURI(`http://host/?x=${secret}`),
      new URL(`http://host/?x=${secret}`).href,
      `${new URLSearchParams({ secret })}`,
    ];
    for (const text of texts) {
      expect(known.withoutNamed(text)).not.toMatch(/ann|two/);
      expect(redaction.shownText(text, known)).not.toMatch(/ann|two/);
      expect(JSON.stringify(redaction.stored({ text }, known))).not.toMatch(/ann|two/);
    }
  });

  it('hides what the burst knows as a secret in names of members', () => {
    const known = new BurstSecrets();
    known.name('partner-key-1');
    const value = { list: [{ 'k:partner-key-1': 1, b: 2 }], map: new Map([['partner-key-1', 'x']]) };
    const hidden = { list: [{ 'k:(redacted)': 1, b: 2 }], map: new Map([['(redacted)', 'x']]) };
    expect(redaction.shown(value, known)).toEqual(hidden);
    expect(redaction.isWithheld('payload', types.resolve('Object')!, value, known)).toBe(true);
    expect(redaction.stored(value, known).list).toEqual([{ 'k:(redacted)': 1, b: 2 }]);
    expect(value.list[0]).toHaveProperty('k:partner-key-1');
    const plain = { a: [{ b: 1 }] };
    expect(redaction.shown(plain, known)).toBe(plain);
  });

  it('hides the rest of a text that is too long to be searched', () => {
    const urls = 'a://b?secre=x '.repeat(100_001);
    expect(redaction.shownText(urls)).toBe(`${'a://b?secre=x '.repeat(100_000)}a://(redacted)`);
    const secretUrls = 'a://b?secret=x '.repeat(20_001);
    expect(redaction.shownText(secretUrls)).toBe(`${'a://b?secret=(redacted) '.repeat(20_000)}a://(redacted)`);
    const users = 'a://b@ '.repeat(20_001);
    expect(redaction.shownText(users)).toBe(`${'a://(redacted)@ '.repeat(20_000)}a://(redacted)`);
    const queries = `a://b?${'secret=x&'.repeat(10_000)} `.repeat(3);
    expect(redaction.shownText(queries).match(/\(redacted\)/g)).toHaveLength(20_003);
    expect(redaction.shownText(queries)).toMatch(/&\(redacted\) a:\/\/\(redacted\)$/);
    const query = `a://b?${'a=b&'.repeat(10_000)}secret=x`;
    expect(redaction.shownText(query)).toBe(`a://b?${'a=b&'.repeat(10_000)}(redacted)`);
    const members = `{${'"a":1,'.repeat(150_000)}"secret":"x"}`;
    expect(redaction.shownText(members)).toBe(`{${'"a":1,'.repeat(150_000)}"secret":(redacted)`);
    const secrets = '{"secret":"x"}'.repeat(20_001);
    expect(redaction.shownText(secrets)).toBe(`${'{"secret":"(redacted)"}'.repeat(20_000)}{"secret":(redacted)`);
    expect(redaction.shownText(`{"${':'.repeat(2_000_001)}`)).toBe(`{"${':'.repeat(2_000_001)}(redacted)`);
  });

  it('hides a text of any length', () => {
    expect(redaction.shownText(`{"password":"${'x'.repeat(9_000_000)}"}`)).toBe('{"password":"(redacted)"}');
    expect(redaction.shownText(`{"a":"${'x'.repeat(9_000_000)}"}`)).toHaveLength(9_000_008);
  });

  it('takes time that grows with the text alone', () => {
    const texts = [
      'a://',
      '//',
      '?',
      '=',
      '?a=b ',
      '?.a=b ',
      '//a?.b=c ',
      'a= ',
      '? =',
      '?=',
      '//a:b@ ',
      '"a":"',
      '{"a":"\\"',
      '://a:b@',
      '[{"',
      'a.',
    ].map((part) => part.repeat(200_000));
    for (const text of texts) expect(redaction.shownText(text).length).toBeGreaterThan(100_000);
  });
});

describe('redaction of stored values', () => {
  it('is without credentials that were received, under their names', () => {
    const state = { a: { Cookie: 'x=1', other: 'x=1' }, b: { cookie: 'own' }, queryString: 'api_key=1&b=2' };
    expect(redaction.stored(state, secrets('x=1'))).toEqual({
      a: { Cookie: '(redacted)', other: 'x=1' },
      b: { cookie: 'own' },
      queryString: 'api_key=(redacted)&b=2',
    });
  });

  it('keeps a URL that a workflow has composed, and hides a received one under names such as Referer', () => {
    const known = secrets('x=1');
    const own = { Referer: 'https://me:own-password@partner/?api_key=own' };
    expect(redaction.stored(own, known)).toEqual(own);
    const received = 'https://ann:her-password@shop/';
    known.receive(redaction.credentialsInAddress('referer', received));
    expect(redaction.stored({ referer: received, own }, known)).toEqual({
      referer: 'https://ann:(redacted)@shop/',
      own,
    });
  });

  it('keeps values whose names merely end like a credential, unless they came in a header of that name', () => {
    const known = secrets('x=1');
    known.receiveHeader('x-acme-token', 'a-token-of-acme');
    const state = {
      headers: { 'X-Acme-Token': 'a-token-of-acme' },
      confirmationToken: 'x=1',
      signature: 'a-token-of-acme',
      queryString: 'inviteToken=1',
    };
    const hidden = { 'X-Acme-Token': '(redacted)' };
    expect(redaction.stored(state, known)).toEqual({ ...state, headers: hidden });
    const text = types.resolve('String')!;
    expect(redaction.isWithheld('ConfirmationToken', text, 'k')).toBe(false);
    expect(redaction.isWithheld('Url', text, 'http://c/?inviteToken=1')).toBe(false);
    expect(new Redaction({ add: ['inviteToken'] }).isWithheld('invite-token', text, 'k')).toBe(true);
  });

  it('is unchanged when nothing was received, or with storeReceived', () => {
    const state = { cookie: 'x=1' };
    expect(redaction.stored(state, undefined)).toBe(state);
    expect(new Redaction({ storeReceived: true }).stored(state, secrets('x=1'))).toBe(state);
  });

  it('is without inputs that hold secrets', () => {
    const [text, headers] = [types.resolve('String')!, types.resolve('HttpHeaders')!];
    expect(redaction.isWithheld('ApiKey', text, 'k')).toBe(true);
    expect(redaction.isWithheld('Url', text, 'http://a:b@c/')).toBe(true);
    expect(redaction.isWithheld('Headers', headers, { 'x-api-key': 'k' })).toBe(true);
    expect(redaction.isWithheld('Headers', headers, { accept: 'a' })).toBe(false);
    expect(redaction.isWithheld('Password', text, null)).toBe(false);
  });
});

describe('the list of names', () => {
  it('can be added to and taken from, in any spelling', () => {
    const own = new Redaction({ add: ['X-Badge', 'my:pin'], remove: ['Cookie'] });
    expect(own.shownText('{"a":1,"my:pin":2,"pin":3}')).toBe('{"a":1,"my:pin":"(redacted)","pin":3}');
    expect(own.shown({ xBadge: 'a', cookie: 'b', password: 'c' })).toEqual({
      xBadge: '(redacted)',
      cookie: 'b',
      password: '(redacted)',
    });
  });
});
