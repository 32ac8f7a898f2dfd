import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { pairsOf } from '../../../../test/support/pairs.js';
import type { HttpWorkflowsOptions } from '../module/http-options.js';
import {
  act,
  endpoint,
  lit,
  multipart,
  obj,
  ref,
  respond,
  startApp,
  type TestServer,
  variable,
} from '../serving/testing/http-test-app.js';
import { removeLeftovers, uploadName } from './upload-directory.js';

const content = 'good morning. '.repeat(20_000);
const form = (filename = 'words.txt') =>
  multipart([
    { name: 'title', data: 'words' },
    { name: 'doc', filename, type: 'text/plain', data: content },
    { name: 'tiny', filename: 'tiny.txt', type: 'text/plain', data: 'x' },
    { name: 'more', filename: 'more.bin', type: 'application/octet-stream', data: content },
  ]);
const json = (expression: unknown) => respond('Out', expression, { contentType: lit('application/json') });

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))('uploads (%p)', (Adapter) => {
  let server: TestServer;
  let root: string;
  let directory: string;
  const start = async (options: HttpWorkflowsOptions = {}) => {
    root = mkdtempSync(path.join(os.tmpdir(), 'waymark-test-'));
    directory = path.join(root, 'uploads');
    server = await startApp(new Adapter(), {
      bodyBytes: 100_000,
      uploadBytes: 2_000_000,
      uploadMemoryBytes: 1000,
      uploadDirectory: directory,
      ...options,
    });
  };
  /** Temporary files that the process holds open. */
  const open = (): string[] =>
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        const file = readlinkSync(`/proc/self/fd/${fd}`);
        return file.startsWith(directory) && file.includes('.upload') ? [file] : [];
      } catch {
        return [];
      }
    });
  /** Closing is asynchronous, and follows the answer. */
  const whenClosed = async (): Promise<void> => {
    while (open().length > 0) await new Promise((resolve) => setImmediate(resolve));
  };
  const upload = (route: string, { body, headers } = form(), chunked = false) =>
    server.call('POST', `/workflows/${route}`, { body, headers, chunked });
  const publish = (route: string, steps: object[], inputs: object = {}, driver: string | null = null) =>
    server.publish(
      [
        endpoint('In', route, {
          methods: ['POST'],
          requestSizeLimit: lit(10_000_000, 'Int64'),
          outputs: { file: 'File', files: 'Files', parsedContent: 'Fields' },
          ...inputs,
        }),
        ...(steps as ReturnType<typeof act>[]),
      ],
      [{ ...variable('File'), storageDriverTypeName: driver }, variable('Files'), variable('Fields')],
    );

  afterEach(async () => {
    await server.app.close();
    rmSync(root, { recursive: true, force: true });
  });

  it('shows a file that lies on the disk, and sends its content, beyond the limit of other bodies', async () => {
    await start();
    await publish('show', [json(ref('Files'))]);
    const files = (await upload('show')).json as { filename: string; length: number; bytes: string }[];
    expect(
      files.map(({ filename, length, bytes }) => [filename, length, Buffer.from(bytes, 'base64').toString()]),
    ).toEqual([
      ['words.txt', content.length, content],
      ['tiny.txt', 1, 'x'],
      ['more.bin', content.length, content],
    ]);
    await publish('fields', [json(ref('Fields'))]);
    expect((await upload('fields', form(), true)).json).toEqual({ title: 'words' });
    await publish('send', [respond('Out', ref('File'))]);
    const sent = await upload('send');
    expect([sent.text, sent.headers['content-type']]).toEqual([content, 'text/plain']);
    await publish('download', [
      act('Elsa.WriteFileHttpResponse', 'Out', {
        content: ref('File'),
        enableResumableDownloads: lit(true, 'Boolean'),
      }),
    ]);
    expect((await upload('download')).text).toBe(content);
    await whenClosed();
    expect([readdirSync(directory), statSync(directory).mode & 0o777]).toEqual([[], 0o700]);
  });

  it('keeps the limit of bodies for everything else', async () => {
    await start();
    await publish('large', [json(ref('Fields'))]);
    const headers = { 'Content-Type': 'application/json' };
    const text = JSON.stringify('x'.repeat(150_000));
    expect((await server.call('POST', '/workflows/large', { body: text, headers })).status).toBe(413);
    const fields = multipart([{ name: 'long', data: 'x'.repeat(150_000) }]);
    const refused = await upload('large', fields, true);
    expect([refused.status, refused.json.code]).toEqual([400, 'WM5006']);
  });

  it.each([
    ['breaks a rule', form('words.exe'), 415],
    ['is too large', multipart([{ name: 'doc', filename: 'a.txt', data: 'x'.repeat(2_100_000) }]), 413],
    ['is cut off', { ...form(), body: form().body.slice(0, -200) }, 400],
  ])('removes the file of a request that %s', async (_, body, status) => {
    await start();
    const id = await publish('refused', [respond('Out', 'ok')], { blockedFileExtensions: obj(['.exe']) });
    expect((await upload('refused', body, true)).status).toBe(status);
    await whenClosed();
    expect(await server.instances(id)).toEqual([]);
  });

  it('removes the file of a client that leaves', async () => {
    await start();
    const id = await publish('left', [respond('Out', 'ok')]);
    const { body, headers } = form();
    const request = http.request({
      port: (server.app.getHttpServer().address() as { port: number }).port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/workflows/left',
      headers: { ...headers, 'Content-Length': String(body.length) },
    });
    request.on('error', () => undefined);
    request.write(body.slice(0, -1000));
    while (open().length === 0) await new Promise((resolve) => setImmediate(resolve));
    request.destroy();
    await whenClosed();
    expect(await server.instances(id)).toEqual([]);
  });

  it('removes the file where the workflow faults', async () => {
    await start();
    await publish('faults', [act('Elsa.Fault', 'Fault', { message: lit('boom') })]);
    expect((await upload('faults')).status).toBe(500);
    await whenClosed();
  });

  it('keeps content in the state where the variable is stored, and only there', async () => {
    await start();
    const second = endpoint('Second', 'later', { start: false });
    await publish(
      'wait',
      [respond('First', 'ok'), second, respond('Out', ref('File'))],
      {},
      'WorkflowInstanceStorageDriver',
    );
    expect((await upload('wait')).text).toBe('ok');
    await whenClosed();
    expect((await server.call('GET', '/workflows/later')).text).toBe(content);
  });

  it('recognises a repeated request', async () => {
    await start({ idempotencyKeys: true });
    await publish('again', [respond('Out', 'ok')]);
    const { body, headers } = form();
    const send = (text: string) =>
      upload('again', { body: text, headers: { ...headers, 'Idempotency-Key': 'k' } as never });
    expect((await send(body)).headers['idempotent-replayed']).toBeUndefined();
    expect((await send(body)).headers['idempotent-replayed']).toBe('true');
    expect((await send(body.replace('words', 'swords'))).status).toBe(422);
    await whenClosed();
  });

  it('is refused when the space for it does not suffice', async () => {
    await start({ uploadDiskBytes: 300_000 });
    await publish('full', [respond('Out', 'ok')]);
    const refused = await upload('full');
    expect([refused.status, refused.json.code]).toEqual([503, 'WM5066']);
    await whenClosed();
    const small = multipart([{ name: 'doc', filename: 'a.txt', data: 'x'.repeat(200_000) }]);
    expect([(await upload('full', small)).status, (await upload('full', small)).status]).toEqual([200, 200]);
  });

  it('is refused when the disk is full, which is logged', async () => {
    await start();
    await publish('full', [respond('Out', 'ok')]);
    const probe = await openFile(path.join(root, 'probe'), 'w');
    await probe.close();
    const isFull = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const writing = jest.spyOn(Object.getPrototypeOf(probe), 'write').mockRejectedValue(isFull);
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    try {
      const refused = await upload('full');
      expect([refused.status, refused.json.code]).toEqual([503, 'WM5066']);
      expect(refused.text).not.toContain('ENOSPC');
      expect(errors.mock.calls.map(([text]) => text)).toEqual([
        'An upload was refused (WM5066). Error: ENOSPC: no space left on device, write',
      ]);
    } finally {
      writing.mockRestore();
      errors.mockRestore();
    }
    await whenClosed();
    expect((await upload('full')).status).toBe(200);
  });

  it.each([false, true])('answers 408 when nothing of a body arrives (raw body: %s)', async (rawBody) => {
    await start({ bodyIdleTimeoutMs: 30 });
    if (rawBody) {
      await server.app.close();
      server = await startApp(new Adapter(), { bodyIdleTimeoutMs: 30 }, {}, undefined, {}, { rawBody });
    }
    const id = await publish('slow', [respond('Out', 'ok')]);
    for (const headers of [form().headers, { 'Content-Type': 'application/json' }]) {
      const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
        const request = http.request(
          {
            port: (server.app.getHttpServer().address() as { port: number }).port,
            host: '127.0.0.1',
            method: 'POST',
            path: '/workflows/slow',
            headers: { ...headers, 'Content-Length': '1000' },
          },
          resolve,
        );
        request.on('error', reject);
        request.write('--');
      });
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      expect([answer.statusCode, answer.headers.connection]).toEqual([408, 'close']);
      expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ code: 'WM5064' });
    }
    expect(await server.instances(id)).toEqual([]);
  });
});

describe('what processes leave behind', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'waymark-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is removed when the processes have ended', async () => {
    const [, start, rest] = uploadName().split('-');
    const names = {
      living: `${process.pid}-${start}-${rest}`,
      ended: `${process.pid}-1-${rest}`,
      young: `4194305-2-${rest}`,
      other: 'notes.txt',
    };
    for (const name of Object.values(names)) writeFileSync(path.join(folder, name), 'x');
    const old = new Date(Date.now() - 3_600_000);
    for (const name of [names.living, names.ended, names.other]) utimesSync(path.join(folder, name), old, old);
    expect(await removeLeftovers(folder, Date.now())).toBe(1);
    expect(Object.values(names).filter((name) => existsSync(path.join(folder, name)))).toEqual([
      names.living,
      names.young,
      names.other,
    ]);
    expect(await removeLeftovers(path.join(folder, 'missing'), Date.now())).toBe(0);
  });
});
