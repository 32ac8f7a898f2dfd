import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TypeOrmPersistenceOptions } from '@waymark/typeorm';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { definePersistenceContract } from '@waymark/testing/adapter';
import { testBackends } from '../support/backends.js';
import { describeThoroughOn } from '../support/describe-on.js';
import { FaultProxy, type Refusal } from './fault-proxy.js';

// A server may choose any transaction as the victim of a deadlock, or of a change that came between, at any of its statements, also
// at COMMIT. Here it chooses each kind of statement once, whatever it belongs to: the contract holds all the same.

const MAX_STATE_BYTES = 11_000_000;
const MOST_CHARS = 100_000;
/**
 * Statements that take locks, by themselves or because of what they write. MySQL gets a transaction in one packet; those that are too
 * large for one are left out: to send them again as often as they have statements takes longer than the patience.
 */
const LOCKING = {
  mysql: /^(?:SET TRANSACTION[^;]*; )?START TRANSACTION|^COMMIT/,
  postgres: /\b(?:INSERT|UPDATE|DELETE|FOR UPDATE|COMMIT)\b/i,
};

/** What statements have in common that differ in their values, and in how many there are. */
const kindOf = (sql: string): string =>
  sql
    .replaceAll(/'[^']*'/g, '?')
    .replaceAll(/\$\d+|\b\d+\b/g, '?')
    .replaceAll(/\?(?:, \?)+/g, '?')
    .replaceAll(/\(\?\)(?:, \(\?\))+/g, '(?)');

describeThoroughOn(await testBackends('mysql', 'postgres'), 'victims of deadlocks on $name', (backend) => {
  describe.each<Refusal>(['deadlock', 'not-serializable'])('%s', (refusal) => {
    const met = new Set<string>();
    let proxy: FaultProxy;
    const open = async (options: TypeOrmPersistenceOptions = {}) =>
      TypeOrmPersistence.fromUrl(proxy.url, {
        tablePrefix: backend.tablePrefix,
        maxStateBytes: MAX_STATE_BYTES,
        ...options,
      });

    beforeAll(async () => {
      proxy = await FaultProxy.open(backend.url);
      // Migrations have a specification of their own.
      const persistence = await open();
      await persistence.initialize();
      await persistence.close();
      proxy.refuseOnce(refusal, (sql) => {
        if (sql.length > MOST_CHARS || !LOCKING[backend.name as keyof typeof LOCKING].test(sql)) return false;
        const kind = kindOf(sql);
        if (met.has(kind)) return false;
        met.add(kind);
        return true;
      });
    });
    afterAll(async () => {
      expect(met.size).toBeGreaterThan(100);
      await proxy.close();
      await backend.drop();
    });

    definePersistenceContract(
      `${backend.name}, ${refusal}`,
      { create: () => open(), openOnAnotherNode: () => open({ migrate: false }), maxStateBytes: MAX_STATE_BYTES },
      { describe, beforeAll, afterAll, expect, it },
    );
  });
});
