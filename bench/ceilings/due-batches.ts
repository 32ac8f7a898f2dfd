import pg from 'pg';
import { argument, serveParent } from '../processes/serve-parent.js';
import type { StateSample } from '../workflows/suspend-resume-calls.js';
import type { DelayServed, SeedTimers } from '../workflows/timers-calls.js';
import { rowId } from './row-id.js';

/** More rows in a statement save nothing any more. */
const BATCH = 500;
/** As the groups of commits: while the server writes one, the next is made up. */
const LOOPS = 2;
const LEASE_MILLIS = 10_000;

const { url, prefix, sample } = argument<{ url: string; prefix: string; sample: StateSample }>();
const waiting = JSON.parse(sample.waiting) as object;
const finished = JSON.parse(sample.finished) as object;
const [instances, delays] = [`${prefix}instance`, `${prefix}delay`];
const pool = new pg.Pool({ connectionString: url, max: LOOPS });

// Nothing but what this one workflow needs: no journal, no column and no index to look anything up.
await pool.query(
  `create table ${instances} (id text collate "C" primary key, status text, state text, updated_at bigint) with (fillfactor = 50)`,
);
await pool.query(
  `create table ${delays} (id text collate "C" primary key, instance_id text collate "C", due_at bigint, claimed_by text, claimed_until bigint) with (fillfactor = 50)`,
);
await pool.query(`create index ${delays}_due_at on ${delays} (due_at)`);

const claim = {
  name: 'claim',
  text: `update ${delays} set claimed_by = $3, claimed_until = $1 + ${LEASE_MILLIS} where id = any (array (select id from ${delays} where due_at <= $1 and (claimed_until is null or claimed_until <= $1) order by due_at limit $2 for update skip locked)) returning id, instance_id, due_at`,
};
const load = { name: 'load', text: `select id, state from ${instances} where id = any ($1)` };
const consume = { name: 'consume', text: `delete from ${delays} where id = any ($1)` };
const finish = {
  name: 'finish',
  text: `update ${instances} set status = 'Finished', state = one.state, updated_at = $3 from unnest($1::text[], $2::text[]) as one (id, state) where ${instances}.id = one.id`,
};

interface Claimed {
  readonly id: string;
  readonly instance_id: string;
  readonly due_at: string;
}

async function seed({ count, firstAt, overMillis }: SeedTimers): Promise<void> {
  const text = JSON.stringify(waiting);
  for (let at = 0; at < count; at += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - at) }, (_, n) => at + n);
    const ids = numbers.map(() => rowId());
    const dueAt = numbers.map((n) => firstAt + Math.floor((n * overMillis) / count));
    await pool.query(
      `insert into ${instances} (id, status, state, updated_at) select id, 'Suspended', $2, $3 from unnest($1::text[]) as id`,
      [ids, text, firstAt],
    );
    await pool.query(
      `insert into ${delays} (id, instance_id, due_at) select * from unnest($1::text[], $2::text[], $3::bigint[])`,
      [ids.map(() => rowId()), ids, dueAt],
    );
  }
}

/** Serves that many, as they come due. */
async function serve(count: number): Promise<DelayServed[]> {
  const served: DelayServed[] = [];
  await Promise.all(Array.from({ length: LOOPS }, () => serveUntil(count, served)));
  return served;
}

async function serveUntil(count: number, served: DelayServed[]): Promise<void> {
  const client = await pool.connect();
  try {
    while (served.length < count) {
      const { rows } = await client.query<Claimed>({ ...claim, values: [Date.now(), BATCH, `node ${process.pid}`] });
      if (rows.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        continue;
      }
      await finishAll(client, rows);
      const at = Date.now();
      for (const { due_at } of rows) served.push({ dueAt: Number(due_at), at });
    }
  } finally {
    client.release();
  }
}

/** Each state is read, and written as the other one, as every engine that keeps state has to. */
async function finishAll(client: pg.PoolClient, claimed: readonly Claimed[]): Promise<void> {
  const ids = claimed.map(({ instance_id }) => instance_id).sort();
  const { rows } = await client.query<{ id: string; state: string }>({ ...load, values: [ids] });
  const states = new Map(rows.map(({ id, state }) => [id, JSON.parse(state) as object]));
  const written = ids.map((id) => JSON.stringify({ ...finished, read: Object.keys(states.get(id)!).length, id }));
  await client.query('begin');
  try {
    const used = await client.query({ ...consume, values: [claimed.map(({ id }) => id)] });
    if (used.rowCount !== claimed.length) throw new Error('One of them has been served already.');
    await client.query({ ...finish, values: [ids, written, Date.now()] });
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

serveParent({ seed, serve }, () => pool.end());
