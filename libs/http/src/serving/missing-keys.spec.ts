import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { VariableDefinition } from '@waymark/core';
import { type EncryptionKey, MemoryPersistence, WorkflowEncryption } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import { act, endpoint, lit, respond, startApp, type TestServer, variable } from './testing/http-test-app.js';

const iban: VariableDefinition = { ...variable('iban', 'String'), storageDriverTypeName: 'EncryptedStorageDriver' };

const keepsEncrypted = (path: string) => [
  endpoint('In', path),
  act('Elsa.Sequence', 'Inner', {
    variables: [iban],
    activities: [
      act('Elsa.SetVariable', 'Set', {
        variable: { id: iban.id, name: iban.name },
        value: lit('DE-secret-iban', 'Object'),
      }),
      respond('Begun', 'begun'),
      endpoint('Wait', `${path}/go-on`, { start: false }),
      respond('End', 'went on'),
    ],
  }),
];

const key = (id: string): EncryptionKey => ({ id, key: randomBytes(32) });

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))(
  'workflows whose keys a host does not have (%p)',
  (Adapter) => {
    let server: TestServer;
    let log: jest.SpiedFunction<Logger['error']>;
    beforeEach(() => (log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined)));
    afterEach(async () => {
      log.mockRestore();
      await server.app.close();
    });

    it('workflows whose keys a host does not have are answered 503 with the code, before an activity has run', async () => {
      const persistence = new MemoryPersistence();
      const withKeys = await startApp(
        new Adapter(),
        {},
        {},
        { persistence, encryption: { keys: { keys: () => [key('k1')] } } },
      );
      const id = await withKeys.publish(keepsEncrypted('safe'));
      await withKeys.app.close();
      server = await startApp(new Adapter(), {}, {}, { pollIntervalMs: 50, persistence });
      const { status, json } = await server.call('GET', '/workflows/safe');
      expect([status, json]).toEqual([
        503,
        { code: 'WM3043', message: expect.stringContaining("option 'encryption'") as unknown },
      ]);
      expect(await server.instances(id)).toEqual([]);
      // The client cannot mend it; the operator reads of it.
      expect(log.mock.calls).toEqual([[expect.stringMatching(/^GET \/workflows\/safe: .*must be encrypted/)]]);
    });

    it.each([
      ['the key is gone', 503, 'WM3044', () => [key('k2')]],
      ['another key has its id', 500, 'WM3045', () => [key('k1')]],
    ])(
      'workflows whose keys a host does not have are answered with the code when an instance waits and %s, and continue when it is back',
      async (_, status, code, later) => {
        const first = [key('k1')];
        let keys = first;
        server = await startApp(
          new Adapter(),
          {},
          {},
          { pollIntervalMs: 50, encryption: { keys: { keys: () => keys } } },
        );
        await server.publish(keepsEncrypted('safe'));
        expect((await server.call('GET', '/workflows/safe')).text).toBe('begun');
        keys = later();
        await server.app.get(WorkflowEncryption).reloadKeys();
        const answer = await server.call('GET', '/workflows/safe/go-on');
        expect([answer.status, answer.json]).toEqual([
          status,
          { code, message: expect.stringContaining("'k1'") as unknown },
        ]);
        keys = first;
        await server.app.get(WorkflowEncryption).reloadKeys();
        expect((await server.call('GET', '/workflows/safe/go-on')).text).toBe('went on');
      },
    );
  },
);
