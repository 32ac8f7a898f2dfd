import { describe, expect, it } from '@jest/globals';
import { Redaction } from './redaction.js';

const redaction = new Redaction();

/** As a text of its own, and as a member, which is first looked at by the quick way. */
const shown = (text: string): string => {
  const inMember = redaction.shown({ text }).text;
  expect(redaction.shownText(text)).toBe(inMember);
  return inMember;
};

describe('texts that hold secrets by name', () => {
  it.each([
    ['grant_type=password&username=ann&password=hunter2-long', 'grant_type=password&username=ann&password=(redacted)'],
    ['password=hunter2-long', 'password=(redacted)'],
    ['client_secret=hunter2-long&a=b', 'client_secret=(redacted)&a=b'],
    ['user%5Bpassword%5D=hunter2-long&a=b', 'user%5Bpassword%5D=(redacted)&a=b'],
    ['user[name]=ann&user[password]=hunter2-long', 'user[name]=ann&user[password]=(redacted)'],
    ['a=b&password=not encoded hunter2-long', 'a=b&password=(redacted)'],
    ['a=https://ann:hunter2-long@host/', 'a=https://ann:(redacted)@host/'],
    ['Received {"password":"hunter2-long"}', 'Received {"password":"(redacted)"}'],
    [
      'Cannot save [{ "user": "ann", "pin_token" : 1234 }]',
      'Cannot save [{ "user": "ann", "pin_token" : "(redacted)" }]',
    ],
    ['{"passwords":["hunter2-long", "b]"],"a":[1]}', '{"passwords":"(redacted)","a":[1]}'],
    ['{"credentials" : {"a":{"b":"hunter2-long"}, "c":1},"d":{}}', '{"credentials" : "(redacted)","d":{}}'],
    ['{"tokens":1,"auth_tokens":["hunter2-long', '{"tokens":1,"auth_tokens":"(redacted)"'],
    ['<a><password>hunter2-long</password><b>c</b></a>', '<a><password>(redacted)</password><b>c</b></a>'],
    ['<wsse:Password Type="a>b">hunter2-long</wsse:Password>', '<wsse:Password Type="a>b">(redacted)</wsse:Password>'],
    [
      'got <password><![CDATA[<hunter2-long>]]></password> here',
      'got <password><![CDATA[(redacted)]]></password> here',
    ],
    [`<user name='ann' password = 'hunter2-long'/><x/>`, `<user name='ann' password = '(redacted)'/><x/>`],
    ['<user password="hunter2-long', '<user password="(redacted)'],
    ['<token>\n  hunter2-long', '<token>\n  (redacted)'],
  ])('%j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([1, 2, 3])('in JSON that is a text of JSON, %i times', (times) => {
    const inner = JSON.stringify(
      { password: 'hunter2-\\"long"\\', user: 'ann', token: 12345678, secrets: ['hunter2"]'] },
      null,
      2,
    );
    let text = inner;
    for (let time = 0; time < times; time++) text = JSON.stringify({ Message: text, next: 'hunter' });
    let read: unknown = shown(text);
    for (let time = 0; time < times; time++) read = (JSON.parse(read as string) as { Message: string }).Message;
    expect(JSON.parse(read as string)).toEqual({
      password: '(redacted)',
      user: 'ann',
      token: '(redacted)',
      secrets: '(redacted)',
    });
    expect(JSON.parse(shown(text))).toHaveProperty('next', 'hunter');
  });

  it('hides an escaped value that is cut, and ends where the text around it does', () => {
    expect(shown(String.raw`{"Message":"{\"password\":\"hunter2`)).toBe(
      String.raw`{"Message":"{\"password\":\"(redacted)\"`,
    );
    expect(shown(String.raw`{"Message":"{\"password\":\"hunter2","a":"b"}`)).toBe(
      String.raw`{"Message":"{\"password\":\"(redacted)\"","a":"b"}`,
    );
  });

  it.each([
    'a = b & c',
    'total=price&&tax',
    'rate=5',
    'E=mc',
    'x < y and y > z',
    '<p>no password here</p>',
    '<password/><a>b</a>',
    '<password></password>',
    '<tokenType>Bearer</tokenType>',
    'send Bearer <token> instead',
    'Promise<Token> is not a list',
    'He said "wait": it was late',
    '"token" is needed: ask',
    'password = secret',
    'The password=wrong answer',
    '{"passwords":[ ],"secret":{},"token":null,"hasPassword":true}',
  ])('leaves %j as it is', (text) => expect(shown(text)).toBe(text));

  it.each([
    ['marks', '\\"'],
    ['names', '\\"a\\":'],
    ['colons', '":'],
    ['escaped values', '\\"password\\":\\"'],
    ['backslashes', '\\\\\\\\":'],
    ['tags', '<a'],
    ['open attributes', `<a b="`],
    ['open attributes of both kinds', `<a b='c' d="`],
    ['passwords', '<password>'],
    ['attributes', ' password="x"'],
    ['spaces in tags', '<a  \t '],
    ['sections', '<password><![CDATA['],
    ['lists', '"passwords":['],
    ['lists of texts in JSON', '\\"passwords\\":[\\"a\\"'],
    ['fields', 'password=&'],
    ['fields of blanks', 'password= '],
  ])('takes a time that grows with the text alone: %s', (_what, piece) => {
    // The square would take minutes, and end the test.
    expect(redaction.shownText(piece.repeat(3_000_000 / piece.length))).not.toBe('');
  });
});
