import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { AbstractLogger } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { isThorough } from '../support/depth.js';
import { describeInTurnOn } from '../support/describe-on.js';
import { makeImpatient } from '../support/impatient.js';
import { FaultProxy } from './fault-proxy.js';

// Servers, and poolers in front of them, that take a connection and answer nothing, or take none yet, when a node starts. A start
// that waits without an end runs into the time limit of its test.

class OnQuery extends AbstractLogger {
  constructor(private readonly heard: (sql: string) => void) {
    super('all');
  }
  override logQuery(sql: string): void {
    this.heard(sql);
  }
  protected writeLog(): void {}
}

describeInTurnOn(await testBackends('mysql', 'postgres'), 'a start: $name', (backend) => {
  let proxy: FaultProxy;
  let warnings: jest.Spied<Logger['warn']>;

  beforeEach(async () => {
    proxy = await FaultProxy.open(backend.url ?? '');
    warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    warnings.mockRestore();
    await proxy.close();
  });
  afterAll(() => backend.drop());

  const persistenceOf = (heard: (sql: string) => void = () => {}) => {
    const logger = new OnQuery(heard);
    const options = { type: backend.name as 'postgres', url: proxy.url, logging: true as const, logger };
    const limits = { tablePrefix: backend.tablePrefix, statementTimeoutMs: 500, connectTimeoutMs: 500 };
    return TypeOrmPersistence.fromOptions(options, limits);
  };

  it('continues with another connection when the first one is silent from the start', async () => {
    let silenced = 0;
    const persistence = persistenceOf((sql) => {
      if (silenced > 0 || !/version\(\)/i.test(sql)) return;
      silenced = proxy.blackHole('established');
    });
    await persistence.initialize();
    expect(silenced).toBe(1);
    expect(await persistence.definitions.changeCounter()).toBe(0);
    await persistence.close();
  }, 30_000);

  it('ends with a typed error when all connections are silent from the start', async () => {
    let isSilent = false;
    const persistence = persistenceOf((sql) => {
      if (isSilent || !/version\(\)/i.test(sql)) return;
      isSilent = true;
      proxy.blackHole('all');
    });
    // A quarter of a minute, as long as it is, only where all long tests run.
    const patience = isThorough ? undefined : makeImpatient();
    await expect(persistence.initialize()).rejects.toMatchObject({
      code: 'WM7014',
      message: expect.stringContaining('Cannot connect'),
    });
    patience?.mockRestore();
    expect(isSilent).toBe(true);
    // The same object starts when the network is back.
    proxy.heal();
    await persistence.initialize();
    await persistence.close();
  }, 60_000);

  it('waits for a server that does not accept connections yet, and logs that once', async () => {
    proxy.limitConnections(0);
    warnings.mockImplementation((text: unknown) => {
      if (String(text).includes('Retrying for')) proxy.heal();
    });
    const persistence = persistenceOf();
    await persistence.initialize();
    const said = warnings.mock.calls.filter(([text]) => String(text).includes('Retrying for'));
    expect(said).toHaveLength(1);
    expect(proxy.figures.turnedAway).toBeGreaterThan(0);
    await persistence.close();
  }, 30_000);
});
