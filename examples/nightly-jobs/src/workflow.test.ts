import 'reflect-metadata';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { VirtualClock, WorkflowTestBed } from '@waymark/testing';
import { AppModule } from './app.module';
import { Ledger } from './close-day.activity';

const HOUR = 3_600_000;

describe('the closing of days', () => {
  let app: NestFastifyApplication;
  let bed: WorkflowTestBed;

  async function startAt(time: string): Promise<void> {
    const builder = Test.createTestingModule({ imports: [AppModule] });
    const module = await WorkflowTestBed.prepare(builder, { clock: new VirtualClock(time) }).compile();
    app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter({ forceCloseConnections: true }), {
      logger: false,
    });
    await app.listen(0, '127.0.0.1');
    bed = await WorkflowTestBed.of(app);
  }
  afterEach(() => bed.close());

  const closed = (branch: string) => bed.get(Ledger).closed.filter((line) => line.startsWith(branch));

  it('comes in the night of each branch', async () => {
    await startAt('2026-01-10T12:00:00Z');
    await bed.advance(24 * HOUR);
    assert.deepEqual(bed.get(Ledger).closed, [
      'Kolkata 2026-01-11 02:30 = 2026-01-10T21:00:00.000Z',
      'Berlin 2026-01-11 02:30 = 2026-01-11T01:30:00.000Z',
      'New York 2026-01-11 02:30 = 2026-01-11T07:30:00.000Z',
    ]);
  });

  it('comes at the end of the hour that is left out in spring', async () => {
    await startAt('2026-03-28T12:00:00Z');
    await bed.advance(48 * HOUR);
    assert.deepEqual(closed('Berlin'), [
      'Berlin 2026-03-29 03:00 = 2026-03-29T01:00:00.000Z',
      'Berlin 2026-03-30 02:30 = 2026-03-30T00:30:00.000Z',
    ]);
  });

  it('comes once in the night in which half past two comes twice', async () => {
    await startAt('2026-10-24T12:00:00Z');
    await bed.advance(48 * HOUR);
    assert.deepEqual(closed('Berlin'), [
      'Berlin 2026-10-25 02:30 = 2026-10-25T00:30:00.000Z',
      'Berlin 2026-10-26 02:30 = 2026-10-26T01:30:00.000Z',
    ]);
  });

  it('says when it comes next', async () => {
    await startAt('2026-01-10T12:00:00Z');
    const answer = await fetch(`${await app.getUrl()}/closings`);
    assert.deepEqual(await answer.json(), {
      closed: [],
      next: {
        'closing-berlin': '2026-01-11T01:30:00.000Z',
        'closing-kolkata': '2026-01-10T21:00:00.000Z',
        'closing-new-york': '2026-01-11T07:30:00.000Z',
      },
    });
  });
});
