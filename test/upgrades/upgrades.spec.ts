import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { WorkflowPersistence } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { createWaymarkDataSource } from '@waymark/typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { load } from './dump.js';
import { bookmarksOf, endWaits, KINDS, startApp, WRITTEN_AT } from './waits.js';

const FIXTURES = path.join(import.meta.dirname, 'fixtures');
const releases = readdirSync(FIXTURES);

for (const release of releases) {
  describeOn(await testBackends('sqlite', 'mysql', 'postgres'), `a database of ${release}, on $name`, (backend) => {
    it('is upgraded, and every instance continues to its end', async () => {
      const { tablePrefix: prefix } = backend;
      const dataSource = await createWaymarkDataSource(backend.url, { tablePrefix: prefix }).initialize();
      await load(dataSource, readFileSync(path.join(FIXTURES, release, `${backend.name}.sql`), 'utf8'), prefix);
      await dataSource.destroy();

      const fixture = await startApp(await backend.create(), new VirtualClock(new Date(WRITTEN_AT).getTime() + 60_000));
      const { instances, outbox } = fixture.app.get(WorkflowPersistence);
      expect(await instances.count({ statuses: ['Running'] })).toBe(KINDS.length);
      expect(await endWaits(fixture)).toEqual({ http: 200 });

      expect(fixture.lines.toSorted()).toEqual(
        [
          ...KINDS.map((kind) => `${kind} goes on`),
          'dispatched',
          'dispatched begins',
          'inner goes on',
          'timer fires',
        ].toSorted(),
      );
      const { items } = await instances.findMany({});
      expect(items.map(({ subStatus }) => subStatus)).toEqual(items.map(() => 'Finished'));
      expect([items.length, await outbox.count(), await bookmarksOf(fixture)]).toEqual([
        KINDS.length + 2,
        { waiting: 0, deadLetters: 0 },
        [],
      ]);
      await fixture.app.close();
      await backend.drop();
    });
  });
}
