import { afterAll, expect, it } from '@jest/globals';
import { IInstanceMigrator, RuntimeGate, WorkflowPersistence } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import {
  beginWaits,
  bookmarksOf,
  deploySecondVersions,
  endWaits,
  KINDS,
  startApp,
  WorkGate,
  WRITTEN_AT,
} from '../upgrades/waits.js';

describeOn(await testBackends(), 'instances that move while they wait, on $name', (backend) => {
  afterAll(() => backend.drop());

  it('instances that move while they wait continue with the other version, whatever they wait for', async () => {
    const fixture = await startApp(await backend.create(), new VirtualClock(WRITTEN_AT));
    const { app, bed, lines } = fixture;
    await beginWaits(fixture);
    app.get(RuntimeGate).resume();
    await deploySecondVersions(fixture);
    const { instances } = app.get(WorkflowPersistence);
    const { items } = await instances.findMany({ statuses: ['Running'] });
    const rows = await bookmarksOf(fixture);
    const request = { targetVersion: 2, mapping: { activities: { Wait: 'Moved' } } };
    const refused: (string | undefined)[] = [];
    for (const { id, definitionId } of items) {
      if (definitionId === 'fixture-inner') continue;
      const report = await app.get(IInstanceMigrator).dryRun(id, request);
      if (!report.isPossible) refused.push(definitionId, ...report.problems.map(({ code }) => code));
      else {
        expect(report.waits.map(({ to }) => to?.activityId)).toEqual(['Moved']);
        await app.get(IInstanceMigrator).migrate(id, request);
      }
    }
    // Its burst is under way, and ends by the version with which it began.
    expect(refused).toEqual(['fixture-interrupted', 'Busy']);
    expect(await bookmarksOf(fixture)).toEqual(rows);
    lines.length = 0;
    app.get(WorkGate).open();
    await bed.runToIdle();
    expect(await endWaits(fixture)).toEqual({ http: 200 });
    const moved = KINDS.filter((kind) => kind !== 'interrupted' && kind !== 'dispatched');
    expect(lines.filter((text) => text.endsWith(' moved')).toSorted()).toEqual(
      moved.map((kind) => `${kind} moved`).toSorted(),
    );
    expect(lines).toEqual(expect.arrayContaining(['interrupted goes on', 'inner goes on', 'timer fires']));
    expect(lines).not.toContain('not run');
    expect(await instances.count({ statuses: ['Running'] })).toBe(0);
    await app.close();
  });
});
