// npm run fixtures: a database of the present schema for each family, with instances in each kind of wait.
// Once for each release, under its version: what was released is not written again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { VirtualClock } from '@waymark/testing';
import { createWaymarkDataSource } from '@waymark/typeorm';
import { testBackends } from '../support/backends.js';
import { dump, FIXTURE_PREFIX } from './dump.js';
import { beginWaits, startApp, WRITTEN_AT } from './waits.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const folder = path.join('test/upgrades/fixtures', version);
if (existsSync(folder)) {
  process.stderr.write(
    `${folder} is there already. Fixtures of a release do not change; remove them if it is not released.\n`,
  );
  process.exit(1);
}
const { available, skipped } = await testBackends('sqlite', 'mysql', 'postgres');
if (skipped.length > 0) {
  process.stderr.write(
    `All databases are needed: ${skipped.map(({ name, reason }) => `${name}: ${reason}`).join(', ')}\n`,
  );
  process.exit(1);
}
for (const backend of available) {
  const persistence = await backend.create();
  await beginWaits(await startApp(persistence, new VirtualClock(WRITTEN_AT)));
  const dataSource = await createWaymarkDataSource(backend.url, { tablePrefix: backend.tablePrefix }).initialize();
  const sql = await dump(dataSource, backend.tablePrefix);
  await dataSource.destroy();
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${backend.name}.sql`);
  writeFileSync(file, sql.replaceAll(backend.tablePrefix, FIXTURE_PREFIX));
  process.stdout.write(`${file}: ${sql.length} characters\n`);
}
// Not closed: the instances are left as a process that dies leaves them.
process.exit(0);
