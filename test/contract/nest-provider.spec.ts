import 'reflect-metadata';
import { afterAll, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WorkflowPersistence } from '@waymark/runtime';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { describeBackends, testBackends } from '../support/backends.js';

const backends = await testBackends();
const servers = backends.available.filter(({ name }) => name === 'mysql' || name === 'postgres');
process.stdout.write(
  `persistence on the data source of Nest, ${describeBackends({ ...backends, available: servers })}`,
);

afterAll(async () => {
  for (const server of servers) await server.drop();
});

for (const { name, url, tablePrefix } of servers) {
  it(`takes the connection of TypeOrmModule: ${name}`, async () => {
    const module = await Test.createTestingModule({
      imports: [TypeOrmModule.forRoot({ type: name as 'mysql', url, autoLoadEntities: true })],
      providers: [{ provide: WorkflowPersistence, ...TypeOrmPersistence.fromDataSource(undefined, { tablePrefix }) }],
    }).compile();
    const persistence = module.get(WorkflowPersistence);
    await persistence.initialize();
    expect(await persistence.definitions.changeCounter()).toBe(0);
    expect(Math.abs((await persistence.now())! - Date.now())).toBeLessThan(15 * 60_000);
    await persistence.close();
    await module.close();
  });
}

it('refuses the SQLite connection of TypeOrmModule, and says why', async () => {
  const module = Test.createTestingModule({
    imports: [TypeOrmModule.forRoot({ type: 'better-sqlite3', database: ':memory:' })],
    providers: [{ provide: WorkflowPersistence, ...TypeOrmPersistence.fromDataSource() }],
  });
  await expect(module.compile()).rejects.toMatchObject({ code: 'WM7011' });
});
