import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compiledScript } from '../support/compiled.js';
import { sampleOf } from '../support/depth.js';
import { describeAfterQuick } from '../support/pairs.js';
import { Lines } from '../support/processes.js';

const MB = 1_000_000;
const SIZE = 100 * MB;
/** Smaller than the upload by far, so that holding it would show or end the process. */
// Code alone takes nearly 60: with less than this, the collector is at work all the time.
const HEAP_MB = 80;
const MOST_GROWTH = 50 * MB;

const HEAD = '--x\r\nContent-Disposition: form-data; name="f"; filename="film.mp4"\r\nContent-Type: video/mp4\r\n\r\n';
const TAIL = '\r\n--x--\r\n';

/** Starts an upload of so many bytes, waiting whenever the server holds it back. */
function begin(port: number, size: number): { request: http.ClientRequest; sent: Promise<void> } {
  const request = http.request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/workflows/measure',
    agent: false,
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
  });
  request.on('error', () => undefined);
  const piece = Buffer.alloc(MB, 'film');
  const send = async (): Promise<void> => {
    request.write(HEAD);
    for (let sent = 0; sent < size; sent += piece.length)
      if (!request.write(piece)) await new Promise<void>((resolve) => request.once('drain', resolve));
  };
  return { request, sent: send() };
}

async function upload(port: number, size: number): Promise<unknown> {
  const { request, sent } = begin(port, size);
  const response = new Promise<http.IncomingMessage>((resolve, reject) =>
    request.once('response', resolve).once('error', reject),
  );
  void sent.then(() => request.end(TAIL));
  const chunks: Buffer[] = [];
  for await (const chunk of await response) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** Without the long tests: on the adapter of the host. */
const adapters = sampleOf(['fastify', 'express'], 2);

describeAfterQuick('uploads to a process of its own', () => describe.each(adapters)('on %s', uploadsOn));

function uploadsOn(adapter: string): void {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'waymark-test-'));
  let lines: Lines;
  let port: number;
  beforeAll(async () => {
    const script = compiledScript('upload-host.ts');
    const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, script, adapter, directory], {
      // Jest's flags are not for the child.
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    lines = new Lines(child);
    port = Number(await lines.line(0));
  });
  afterAll(async () => {
    lines.child.kill('SIGKILL');
    await lines.ended();
    rmSync(directory, { recursive: true, force: true });
  });

  const mostMemory = async (): Promise<number> => {
    const next = lines.all.length;
    lines.child.stdin.write('\n');
    return Number(await lines.line(next));
  };

  it('uploads take no memory for the content of 100 MB', async () => {
    // What the first upload needs once: code, and buffers that are used again.
    expect(await upload(port, 5 * MB)).toEqual({ name: 'film.mp4', type: 'video/mp4', size: 5 * MB });
    const before = await mostMemory();
    expect(await upload(port, SIZE)).toEqual({ name: 'film.mp4', type: 'video/mp4', size: SIZE });
    expect((await mostMemory()) - before).toBeLessThan(MOST_GROWTH);
  });

  it('uploads leave nothing when the process is killed in the middle of one', async () => {
    const { sent } = begin(port, 10 * MB);
    await sent;
    const { pid } = lines.child;
    const open = () =>
      readdirSync(`/proc/${pid}/fd`).filter((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith(directory));
    while (open().length === 0) await new Promise((resolve) => setImmediate(resolve));
    lines.child.kill('SIGKILL');
    await lines.ended();
    expect(readdirSync(directory)).toEqual([]);
  });
}
