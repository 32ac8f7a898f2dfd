import { Readable } from 'node:stream';
import type { ExecutionContext } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RuntimeGate } from '@waymark/runtime';
import { bodyMemory } from '@waymark/runtime/adapter';
import { InvalidRequestError } from '../answers/api-errors.js';
import { VirtualClock } from '@waymark/testing';
import { zipSync } from 'fflate';
import type { ResolvedApiOptions } from '../module/api-options.js';
import { openBody } from './body-claim.js';
import { BodyLimitsGuard } from './body-limits.js';
import type { HttpRequest } from './http-request.js';
import { readUploads } from './uploads.js';

const LIMITS = {
  importBytes: 10_000_000,
  importValues: 1000,
  importFiles: 5,
  bodyIdleTimeoutMs: 1000,
  bodyTimeoutMs: 5000,
} as ResolvedApiOptions;
const clock = new VirtualClock();
const HEADERS = { 'content-type': 'multipart/form-data; boundary=x' };
const disposition = 'Content-Disposition: form-data; name="files"; filename="b"';

const raw = (...chunks: (string | Buffer)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

function requestOf(body: Readable, headers = HEADERS): HttpRequest {
  const request = { raw: Object.assign(body, { headers }), headers, url: '/' };
  const context = { switchToHttp: () => ({ getRequest: () => request }) };
  new BodyLimitsGuard(LIMITS, clock, new RuntimeGate()).canActivate(context as unknown as ExecutionContext);
  opened.push(openBody(request as unknown as HttpRequest));
  return request as unknown as HttpRequest;
}

const opened: (() => void)[] = [];
let before: number;
// All files of a worker share the process's memory for bodies: requests to nodes that died in an earlier one keep theirs.
beforeEach(() => void (before = bodyMemory.heldBytes));
// The interceptor's work in an application.
afterEach(() => {
  for (const end of opened.splice(0)) end();
  expect(bodyMemory.heldBytes).toBe(before);
});

describe('an upload', () => {
  it.each([
    ['a long part without a head', [`--x\r\n\r\n${'L'.repeat(50_000)}\r\n--x--\r\n`]],
    // More than a connection holds: the rest of it comes only when the parser takes what came before.
    ['a part without a head that continues', ['--x\r\n\r\n', ...Array.from({ length: 20 }, () => 'L'.repeat(50_000))]],
    ['a head alone', [`--x\r\n${disposition}`]],
    ['no end', [`--x\r\n${disposition}\r\n\r\nabc`]],
    ['no part', ['abc']],
    [
      'a file without the name of its field',
      ['--x\r\nContent-Disposition: form-data; filename="b"\r\n\r\n{}\r\n--x--\r\n'],
    ],
    ['a field without a name', ['--x\r\nContent-Disposition: form-data\r\n\r\n{}\r\n--x--\r\n']],
    [
      'bytes without a name',
      ['--x\r\nContent-Disposition: form-data\r\nContent-Type: application/octet-stream\r\n\r\n{}\r\n--x--\r\n'],
    ],
    ['no body', []],
  ])('an upload with %s is refused', async (_name, chunks) => {
    await expect(readUploads(requestOf(raw(...chunks)))).rejects.toThrow(InvalidRequestError);
  });

  it('an upload with an archive of more folders than files are allowed is refused', async () => {
    const folders = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`${n}/`, new Uint8Array()]));
    const archive = Buffer.from(zipSync(folders));
    const parts = [`--x\r\n${disposition}\r\n\r\n`, archive, '\r\n--x--\r\n'];
    await expect(readUploads(requestOf(raw(...parts)))).rejects.toThrow('more than 5 files');
  });

  it('an upload without a boundary is refused', async () => {
    const request = requestOf(raw('abc'), { 'content-type': 'multipart/form-data; a=b' });
    await expect(readUploads(request)).rejects.toThrow(InvalidRequestError);
  });

  it('an upload whose client disconnects is refused', async () => {
    const body = new Readable({ read: () => undefined });
    const uploads = readUploads(requestOf(body));
    body.push(`--x\r\n${disposition}\r\n\r\nabc`);
    body.destroy();
    await expect(uploads).rejects.toThrow(InvalidRequestError);
  });

  it('an upload that stops arriving is refused, and leaves no timer', async () => {
    const body = new Readable({ read: () => undefined });
    const uploads = expect(readUploads(requestOf(body))).rejects.toMatchObject({ code: 'WM5064' });
    body.push(`--x\r\n${disposition}\r\n\r\nabc`);
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1000);
    await uploads;
    expect(clock.pending).toEqual([]);
  });

  it('an upload with too many files is read to its end, so that its client receives the answer', async () => {
    const part = `--x\r\n${disposition}\r\n\r\nabc\r\n`;
    const body = raw(...Array.from({ length: 200 }, () => part), '--x--\r\n');
    const ended = new Promise((resolve) => body.on('end', resolve));
    await expect(readUploads(requestOf(body))).rejects.toThrow('more than 5 files');
    await ended;
  });

  it.each([
    ['a field', 'Content-Disposition: form-data; name="f"\r\n\r\n'],
    ['many fields', ''],
  ])('an upload with %s beyond the limit is refused', async (_name, head) => {
    const value = 'v'.repeat(500_000);
    const field = `--x\r\nContent-Disposition: form-data; name="f"\r\n\r\n${value}\r\n`;
    const pieces = Array.from({ length: 30 }, () => (head ? value : field));
    const body = raw(...(head ? [`--x\r\n${head}`] : []), ...pieces, '\r\n--x--\r\n');
    await expect(readUploads(requestOf(body))).rejects.toMatchObject({ code: 'WM8006' });
  });

  it('names a file after its field where it brings no name of its own', async () => {
    const head = 'Content-Disposition: form-data; name="files"\r\nContent-Type: application/octet-stream';
    const uploads = await readUploads(requestOf(raw(`--x\r\n${head}\r\n\r\n{}\r\n--x--\r\n`)));
    expect(uploads).toEqual([{ name: 'files', text: '{}' }]);
  });

  it.each(['file', 'files[]', 'attachment'])('takes a file from a field of the name %s', async (field) => {
    const head = `Content-Disposition: form-data; name="${field}"; filename="a.json"`;
    const uploads = await readUploads(requestOf(raw(`--x\r\n${head}\r\n\r\n{}\r\n--x--\r\n`)));
    expect(uploads).toEqual([{ name: 'a.json', text: '{}' }]);
  });

  it('delivers large files unchanged, however they are split into chunks', async () => {
    const content = 'content '.repeat(400_000);
    const text = Buffer.from(`--x\r\n${disposition}\r\n\r\n${content}\r\n--x--\r\nan epilogue`);
    const pieces = Array.from({ length: 10 }, (_, i) =>
      text.subarray((i * text.length) / 10, ((i + 1) * text.length) / 10),
    );
    expect(await readUploads(requestOf(raw(...pieces)))).toEqual([{ name: 'b', text: content }]);
  });
});
