import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { inAnyCasing, isInAnyCasing } from '@waymark/core/adapter';
import { JavaScriptEvaluator } from './javascript-evaluator.js';
import type { JavaScriptOptions } from './javascript-options.js';
import { failureOf, testScope } from './test-scope.spec.js';

const LARGE = new Uint8Array(12_000_000).fill(65);
const file = (bytes: Uint8Array = new Uint8Array([104, 105])) =>
  inAnyCasing({
    name: 'upload',
    filename: 'a.txt',
    contentType: 'text/plain',
    length: bytes.length,
    headers: inAnyCasing({ 'content-type': 'text/plain' }),
    bytes,
  });

describe.each<[string, JavaScriptOptions]>([
  ['directly where possible', {}],
  ['in the sandbox alone', { sandboxOnly: true }],
  ['in worker threads', { sandboxOnly: true, sandbox: 'worker', workers: 1 }],
])('evaluated %s', (_way, options) => {
  let evaluator: JavaScriptEvaluator;
  beforeAll(async () => {
    evaluator = await JavaScriptEvaluator.create(options);
  });
  afterAll(() => evaluator.close());

  const variables = (bytes?: Uint8Array) => ({
    Headers: inAnyCasing({ 'X-Test': 'a', ID: 'exact', id: 'small' }),
    Plain: { 'X-Test': 'a' },
    File: file(bytes),
    Nested: [{ headers: inAnyCasing({ Accept: ['a', 'b'] }) }],
  });
  const run = async (source: string, bytes?: Uint8Array) =>
    evaluator.compile(source)(testScope({ variables: variables(bytes) }));

  test.each<[string, unknown]>([
    ['getHeaders()["x-test"] + getHeaders()["X-TEST"] + getHeaders()["X-Test"]', 'aaa'],
    ['variables.Headers["x-tesT"]', 'a'],
    ['getHeaders().Id', 'exact'],
    ['getHeaders().id', 'small'],
    ['getHeaders()["none"] ?? "none"', 'none'],
    ['typeof getHeaders().toString', 'function'],
    ['getPlain()["x-test"] ?? null', null],
    ['getNested()[0].headers.accept[1]', 'b'],
    ['Object.keys(getHeaders())', ['X-Test', 'ID', 'id']],
    ['JSON.stringify(getHeaders())', '{"X-Test":"a","ID":"exact","id":"small"}'],
    ['const seen = []; for (const name in getHeaders()) seen.push(name); return seen', ['X-Test', 'ID', 'id']],
    ['({ ...getHeaders() })["x-test"] ?? null', null],
    ['"x-test" in getHeaders()', true],
    ['const h = getHeaders(); h["x-test"] = "b"; return JSON.stringify(h)', '{"X-Test":"b","ID":"exact","id":"small"}'],
    ['const h = getHeaders(); delete h["x-test"]; return Object.keys(h)', ['ID', 'id']],
    ['const h = Object.freeze(getHeaders()); return ["x-none" in h, h["x-test"]]', [false, 'a']],
    [
      'const o = Object.create(getHeaders()); o["x-test"] = 1; return [getHeaders()["x-test"], Object.keys(o)]',
      ['a', ['x-test']],
    ],
    [
      '[getFile().FileName, getFile().Length, getFile().ContentType, getFile().Name, getFile().Headers["Content-Type"]]',
      ['a.txt', 2, 'text/plain', 'upload', 'text/plain'],
    ],
    ['getFile().filename + getFile().bytes.length', 'a.txt2'],
  ])('%s', async (source, expected) => expect(await run(source)).toEqual(expected));

  it('keeps what it is through a script', async () => {
    const headers = (await run('getHeaders()')) as object;
    expect(headers).toEqual({ 'X-Test': 'a', ID: 'exact', id: 'small' });
    expect(isInAnyCasing(headers)).toBe(true);
    expect(isInAnyCasing((await run('({ h: getHeaders() })')) as object)).toBe(false);
  });

  it('does not write a variable that was only read', async () => {
    const scope = testScope({ variables: variables(LARGE) });
    scope.setVariable = () => {
      throw new Error('written');
    };
    expect(await evaluator.compile('const f = variables.File; variables.Headers; f.FileName')(scope)).toBe('a.txt');
  });

  describe('contents that are larger than the sandbox', () => {
    test.each<[string, unknown]>([
      ['getFile().FileName', 'a.txt'],
      ['getFile().Length', 12_000_000],
      ['(() => getFile().FileName)()', 'a.txt'],
      ['Object.keys(getFile()).length', 6],
      ['"Bytes" in getFile()', true],
      ['const f = getFile(); f.bytes = 1; return f.bytes', 1],
    ])('contents that are larger than the sandbox stay outside of it: %s', async (source, expected) =>
      expect(await run(source, LARGE)).toEqual(expected),
    );

    it('contents that are larger than the sandbox leave a script that only passes them on', async () => {
      const bytes = LARGE;
      const passed = (await run('({ file: getFile(), n: 1 })', bytes)) as { file: { bytes: Uint8Array } };
      expect(passed.file.bytes).toBe(bytes);
      expect(((await run('(() => getFile())()', bytes)) as { bytes: Uint8Array }).bytes).toBe(bytes);
    });
  });

  describe('large contents', () => {
    const bytes = new Uint8Array(100_000).fill(65);

    test.each<[string, unknown]>([
      ['getFile().bytes.length', 100_000],
      ['getFile().Bytes[99_999]', 65],
      ['const f = getFile(); return f.bytes === f.bytes', true],
      ['bytesToString(getFile().bytes).length', 100_000],
      ['const f = Object.freeze(getFile()); return f.bytes.length', 100_000],
      ['const { bytes } = getFile(); return bytes[0]', 65],
    ])('large contents are there when they are asked for: %s', async (source, expected) =>
      expect(await run(source, bytes)).toEqual(expected),
    );

    it('large contents are what they are for functions of the host, too', async () => {
      expect(String(await run('toJson(getFile())', bytes)).length).toBeGreaterThan(100_000);
    });
  });

  it('gives a script no content that is not its own', async () => {
    const forged = '({ x: { "\\u0001": ["l", 0] } })';
    expect(await run(forged, LARGE)).toEqual({ x: { '\u0001': ['l', 0] } });
    const getter = 'Object.getOwnPropertyDescriptor(getFile(), "bytes").get';
    expect(await run(`typeof ${getter}.constructor("return this")().process`, LARGE)).toBe('undefined');
    expect(
      await failureOf(() => run(`${getter}.x = 1; "use strict"; return ${getter}.prototype.y`, LARGE)),
    ).toBeDefined();
  });
});
