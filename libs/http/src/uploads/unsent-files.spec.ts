import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import { pairsOf } from '../../../../test/support/pairs.js';
import { serve } from '../client/testing/outgoing-runs.js';
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

const content = 'good morning. '.repeat(20_000);
const form = multipart([{ name: 'doc', filename: 'words.txt', type: 'text/plain', data: content }]);

/** Runs until the time of its request is over, and takes no notice. */
@Activity({ namespace: 'Test' })
class OutlastRequest extends ActivityBase {
  execute(ctx: ActivityExecutionContext) {
    return new Promise<void>((resolve) =>
      ctx.signal.addEventListener('abort', () => {
        ctx.complete();
        resolve();
      }),
    );
  }
}

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))('files that are not sent (%p)', (Adapter) => {
  let server: TestServer;
  let directory: string;
  const start = async (options: HttpWorkflowsOptions = {}) => {
    directory = mkdtempSync(path.join(os.tmpdir(), 'waymark-test-'));
    server = await startApp(
      new Adapter(),
      {
        uploadMemoryBytes: 1000,
        // One such file, and not two.
        uploadDiskBytes: 400_000,
        uploadDirectory: directory,
        ...options,
      },
      {},
      undefined,
      { providers: [OutlastRequest] },
    );
  };
  const open = (): string[] =>
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        const file = readlinkSync(`/proc/self/fd/${fd}`);
        return file.startsWith(directory) && file.includes('.upload') ? [file] : [];
      } catch {
        return [];
      }
    });
  const whenClosed = async (): Promise<void> => {
    while (open().length > 0) await new Promise((resolve) => setImmediate(resolve));
  };
  const publish = (route: string, steps: object[], inputs: object = {}) =>
    server.publish(
      [
        endpoint('In', route, { methods: ['POST'], outputs: { file: 'File' }, ...inputs }),
        ...(steps as ReturnType<typeof act>[]),
      ],
      [variable('File')],
    );
  const upload = (route: string) => server.call('POST', `/workflows/${route}`, form);
  /** Its content lies in a file that is closed, and the next one finds room. */
  const expectRoom = async (): Promise<void> => {
    await whenClosed();
    await publish('next', [respond('Out', 'ok')]);
    expect((await upload('next')).status).toBe(200);
  };

  afterEach(async () => {
    await server.app.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it.each([
    ['has a status that is not one', { statusCode: lit('600') }],
    ['has a header that cannot be sent', { responseHeaders: obj({ 'X-Name': 'отчёт.txt' }) }],
  ])('files are closed where the answer %s', async (_, inputs) => {
    await start();
    await publish('bad', [respond('Out', ref('File'), inputs)]);
    expect((await upload('bad')).status).toBe(500);
    await expectRoom();
  });

  it('files are closed where another answer has been sent', async () => {
    await start({ writeResponseSynchronously: true });
    await publish('twice', [respond('First', 'ok'), respond('Second', ref('File'))]);
    expect((await upload('twice')).text).toBe('ok');
    await expectRoom();
  });

  it('files are closed where the time of the request is over', async () => {
    await start();
    await publish('late', [act('Test.OutlastRequest', 'Slow'), respond('Out', ref('File'))], {
      requestTimeout: lit('00:00:00.050', 'TimeSpan'),
    });
    expect((await upload('late')).status).toBe(408);
    await expectRoom();
  });

  it('files are closed with an answer of two of them that is not read', async () => {
    await start();
    await publish('none', [respond('First', ref('File'), { statusCode: lit('204') }), respond('Second', ref('File'))]);
    expect((await upload('none')).status).toBe(204);
    await expectRoom();
  });

  it('files are sent to another server as a whole', async () => {
    await start();
    const other = await serve(() => ({}));
    try {
      await publish('relay', [
        act('Elsa.SendHttpRequest', 'Send', {
          url: lit(other.url),
          method: lit('POST'),
          content: ref('File'),
          contentType: lit('application/octet-stream'),
          requestHeaders: obj({ 'X-Kind': 'upload' }),
        }),
        respond('Out', 'sent'),
      ]);
      expect((await upload('relay')).text).toBe('sent');
      expect(other.requests.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
        ['application/octet-stream', content],
      ]);
      await expectRoom();
    } finally {
      other.close();
    }
  });
});
