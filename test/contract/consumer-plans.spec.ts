import { afterEach, expect, it } from '@jest/globals';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { planOf, statementsOf } from '../support/query-plans.js';

describeOn(await testBackends('sqlite'), 'workflows that use another one: $name', (backend) => {
  afterEach(() => backend.drop());

  // SQLite read every latest definition to find them: among 10,000, a third of the time of each publish.
  it('workflows that use another one are found by their references, and not among all definitions', async () => {
    const store = await backend.create({});
    await store.initialize();
    // The first time, it looks after definitions that an earlier build may have stored.
    await store.definitions.findConsumers('child');
    const statements = await statementsOf(store, () => store.definitions.findConsumers('child'));
    const search = statements.find(({ sql }) => sql.includes('used_definition_id'))!;
    const { text } = await planOf(store, search);
    expect(text).toMatch(/SEARCH r USING .*\(used_definition_id=\?\)/);
    expect(text).toMatch(/SEARCH d USING INDEX \S+ \(id=\?\)/);
  });

  it('workflows that use any of many others are found by one query', async () => {
    const store = await backend.create({});
    await store.initialize();
    await store.definitions.findUses(['child']);
    const children = Array.from({ length: 400 }, (_, n) => `child ${n}`);
    const statements = await statementsOf(store, () => store.definitions.findUses(children));
    const searches = statements.filter(({ sql }) => sql.includes('used_definition_id'));
    expect(searches).toHaveLength(1);
    const { text } = await planOf(store, searches[0]!);
    expect(text).toMatch(/SEARCH r USING .*\(used_definition_id=\?\)/);
    expect(text).toMatch(/SEARCH d USING INDEX \S+ \(id=\?\)/);
  });
});
