import 'reflect-metadata';
import { afterAll, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WorkflowPersistence } from '@waymark/runtime';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

const servers = await testBackends('mysql', 'postgres');

describeOn(servers, 'persistence on the data source of Nest: $name', ({ name, url, tablePrefix, drop }) => {
  afterAll(() => drop());

  it('takes the connection of TypeOrmModule', async () => {
    const module = await Test.createTestingModule({
      imports: [TypeOrmModule.forRoot({ type: name as 'mysql', url, autoLoadEntities: true })],
      providers: [{ provide: WorkflowPersistence, ...TypeOrmPersistence.fromDataSource({ tablePrefix }) }],
    }).compile();
    const persistence = module.get(WorkflowPersistence);
    await persistence.initialize();
    expect(await persistence.definitions.changeCounter()).toBe(0);
    expect(Math.abs((await persistence.now())! - Date.now())).toBeLessThan(15 * 60_000);
    await persistence.close();
    await module.close();
  });
});

it('refuses the SQLite connection of TypeOrmModule, and says why', async () => {
  const module = Test.createTestingModule({
    imports: [TypeOrmModule.forRoot({ type: 'better-sqlite3', database: ':memory:' })],
    providers: [{ provide: WorkflowPersistence, ...TypeOrmPersistence.fromDataSource() }],
  });
  await expect(module.compile()).rejects.toMatchObject({ code: 'WM7011' });
});
