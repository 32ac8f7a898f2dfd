import { strToU8, zipSync } from 'fflate';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, JSON_TYPE, line, useServer } from '../module/api-harness.spec.js';
import { resolveApiOptions } from '../module/api-options.js';

const FORM = { 'content-type': 'multipart/form-data; boundary=b' };

function upload(files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): FormData {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) form.append('files', new Blob([content]), name);
  return form;
}

const zip = (files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), { level: 6 });

const limits = {
  bodyBytes: 10_000,
  bodyValues: 100,
  definitionBytes: 50_000,
  importBytes: 250_000,
  importValues: 1000,
  importFiles: 20,
};
const list = (count: number) => `[${Array(count).fill('[]').join(',')}]`;

describe.each(pairsOf(ADAPTERS, 'express'))('bodies on %s', (adapter) => {
  const { call } = useServer(adapter, undefined, limits, { maxActivities: 20 });

  it('bodies of ordinary requests have a limit in bytes', async () => {
    const reply = await call('POST', '/tasks/none/complete', { result: 'x'.repeat(10_000) });
    expect([reply.status, reply.json.code, reply.json.message]).toEqual([
      413,
      'WM8006',
      expect.stringContaining("'bodyBytes'"),
    ]);
  });

  it('bodies of ordinary requests have a limit in values', async () => {
    const reply = await call('POST', '/tasks/none/complete', `{"result":${list(100)}}`, JSON_TYPE);
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("'bodyValues'")]);
    const few = await call('POST', '/tasks/none/complete', `{"result":${list(20)}}`, JSON_TYPE);
    expect(few.status).not.toBe(400);
  });

  it('bodies of executions and signed links have the same limits', async () => {
    for (const path of ['/workflow-definitions/none/execute', '/bookmarks/resume?t=x'])
      expect((await call('POST', path, `{"input":{"a":${list(100)}}}`, JSON_TYPE)).status).toBe(400);
  });

  it('bodies of imports have limits of their own', async () => {
    const definition = (count: number) => ({
      customProperties: { a: JSON.parse(list(count)) as unknown },
      root: line('A'),
    });
    expect((await call('POST', '/workflow-definitions/import', definition(200))).status).toBe(201);
    const reply = await call('POST', '/workflow-definitions/import', definition(1000));
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("'importValues'")]);
    const model = { ...definition(1), description: 'x'.repeat(20_000) };
    expect((await call('POST', '/workflow-definitions', { model })).status).toBe(200);
  });

  it('a body with more activities than a definition may have is refused', async () => {
    const activities = Array.from({ length: 20 }, (_, i) => line(`A${i}`));
    const reply = await call('POST', '/workflow-definitions/import', {
      root: { type: 'Elsa.Sequence', activities },
    });
    expect([reply.status, reply.json.code, reply.json.message]).toEqual([
      413,
      'WM1024',
      expect.stringContaining("'maxActivities'"),
    ]);
  });

  const definition = (id: string) => JSON.stringify({ definitionId: id, root: line('A') });
  const paths = ['/workflow-definitions/import-files', '/bulk-actions/import/workflow-instances'];

  it.each(paths)('bodies of too many files are refused as a whole: %s', async (path) => {
    const files = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`${i}.json`, definition(`many${i}`)]));
    for (const form of [upload(files), upload({ 'a.zip': zip(files) })]) {
      const reply = await call('POST', path, form);
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("'importFiles'")]);
    }
    expect((await call('GET', '/workflow-definitions/by-definition-id/many0')).status).toBe(404);
  });

  it.each(paths)('bodies of archives are counted unpacked: %s', async (path) => {
    const half = `{"a":"${Array.from({ length: 15_000 }, (_, i) => (i * 7919) % 100_003).join(' ')}"}`;
    const reply = await call(
      'POST',
      path,
      upload({ 'a.zip': zip({ 'a.json': half, 'b.json': half, 'c.json': half, 'd.json': half }) }),
    );
    expect([reply.status, reply.json.code]).toEqual([413, 'WM8006']);
  });

  it.each(paths)('bodies of archives with a suspicious compression ratio are refused: %s', async (path) => {
    const reply = await call('POST', path, upload({ 'a.zip': zip({ 'a.json': ' '.repeat(240_000) }) }));
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('a compression ratio above 200:1')]);
  });

  it.each(paths)(
    'bodies of forms that end inside of a file are refused, and the process continues: %s',
    async (path) => {
      const broken = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.json"\r\n\r\n{"a"';
      const reply = await call('POST', path, broken, FORM);
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('The form is incomplete')]);
      expect((await call('GET', '/package/version')).status).toBe(200);
    },
  );

  it('an archive with paths out of the archive is refused', async () => {
    const reply = await call('POST', paths[0]!, upload({ 'a.zip': zip({ '../a.json': definition('outside') }) }));
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('cannot be read as an archive')]);
  });

  it('definitions have a limit of their own, also within files', async () => {
    const large = (id: string) => ({ definitionId: id, description: 'x'.repeat(50_000), root: line('A') });
    const saved = await call('POST', '/workflow-definitions/import', large('huge'));
    expect([saved.status, saved.json.code, saved.json.message]).toEqual([
      413,
      'WM8006',
      expect.stringContaining("'definitionBytes'"),
    ]);
    const small = { definitionId: 'small', root: line('A') };
    for (const content of [large('huge'), [small, large('huge')]]) {
      const reply = await call('POST', paths[0]!, upload({ 'a.json': JSON.stringify(content) }));
      expect([reply.status, reply.json.code]).toEqual([413, 'WM1060']);
    }
    expect((await call('GET', '/workflow-definitions/by-definition-id/small')).status).toBe(404);
    const many = Array.from({ length: 6 }, (_, i) => ({ ...large(`part${i}`), description: 'x'.repeat(10_000) }));
    const reply = await call('POST', paths[0]!, upload({ 'a.json': JSON.stringify(many) }));
    expect([reply.status, reply.json]).toEqual([200, { count: 6 }]);
  });

  it('bodies that are archives are imported', async () => {
    const reply = await call(
      'POST',
      paths[0]!,
      upload({ 'a.zip': zip({ 'in/a.json': definition('packed'), 'readme.txt': 'x' }) }),
    );
    expect([reply.status, reply.json]).toEqual([200, { count: 1 }]);
  });
});

describe('limits of bodies', () => {
  it.each([
    [{ bodyBytes: 0 }, /'bodyBytes' must be a whole number of bytes from 1/],
    [{ importBytes: 2 ** 40 }, /'importBytes' must be a whole number of bytes/],
    [{ bodyValues: 0.5 }, /'bodyValues' must be a whole number of 1 or more/],
    [{ importValues: -1 }, /'importValues'/],
    [{ importFiles: 0 }, /'importFiles'/],
  ])('limits of bodies are refused when invalid: %j', (options, message) =>
    expect(() => resolveApiOptions(options)).toThrow(message),
  );
});
