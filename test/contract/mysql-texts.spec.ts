import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { WorkflowPersistence } from '@waymark/runtime';
import fc from 'fast-check';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

// On a pool of its own, the library writes values into statements itself: no text may be read as anything but itself.

interface Statement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

type Rows = readonly Record<string, unknown>[];

/** What every statement of the stores goes through. */
interface Database {
  read(statement: Statement): Promise<Rows>;
  transact<T>(work: () => Generator<readonly Statement[], T, readonly { readonly rows: Rows }[]>): Promise<T>;
}

const characters = [
  ...Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code)),
  ...['\ud83d\ude00', '\u{10ffff}', '\uffff', '\u2028', '\u8868', '\u80fd', '\ubf5c', '\u015c', '\u0127'],
];

const texts = [
  ...characters,
  ...characters.flatMap((character) => [`a${character}b`, `${character}'`, `\\${character}`, `${character}\\`]),
  ...["'", '\\', "\\'", "'\\", '\\\\', "''", "\\''", "'; SELECT 1; -- ", "\\'; SELECT 1; -- ", '?', '%', '\\%', '\\_'],
  ...['', '\\Z\\0\\n', '\\u0000', 'x'.repeat(2_000_000) + "\\'", JSON.stringify({ a: '"\\\n\'' })],
];

describeOn(await testBackends('mysql'), 'texts in statements: $name', (backend) => {
  let persistence: WorkflowPersistence;
  let database: Database;

  beforeAll(async () => {
    persistence = await backend.create();
    await persistence.initialize();
    ({ database } = persistence as unknown as { database: Database });
  });

  afterAll(async () => {
    await persistence.close();
    await backend.drop();
  });

  const readBack = async (some: readonly string[]) => {
    const sql = `SELECT ${some.map((_, index) => `? AS t${index}`).join(', ')}`;
    const [row] = await database.read({ sql, params: some });
    return some.map((_, index) => row?.[`t${index}`]);
  };

  const readBackTogether = (some: readonly string[]) =>
    database.transact(function* () {
      const results = yield some.map((text) => ({ sql: 'SELECT ? AS t', params: [text] }));
      return results.map(({ rows }) => rows[0]?.t);
    });

  it('texts in statements are stored unchanged, alone and beside each other', async () => {
    for (let at = 0; at < texts.length; at += 200) {
      const some = texts.slice(at, at + 200);
      expect(await readBack(some)).toEqual(some);
      expect(await readBackTogether(some)).toEqual(some);
    }
  });

  it('texts in statements are stored unchanged; half a surrogate pair is replaced, as by every encoder', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...texts.slice(0, -5))).map((t) => t.join('')),
    );
    const half = fc.constantFrom('\ud800', '\udfff', "\udc5c'", "\ud800\\'");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof({ weight: 9, arbitrary: text }, half), { minLength: 1 }), async (some) => {
        const expected = some.map((one) => Buffer.from(one).toString());
        expect(await readBack(some)).toEqual(expected);
        expect(await readBackTogether(some)).toEqual(expected);
      }),
    );
  });

  it('texts in statements are stored unchanged on a server that does not treat backslashes as escapes', async () => {
    const { pool } = (persistence as any).dataSource.driver;
    let opened = 0;
    pool.on('connection', (connection: { query(sql: string): void }) => {
      opened++;
      connection.query("SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES,STRICT_TRANS_TABLES'");
    });
    const some = ['\\', "\\'", 'a\\nb', '"'];
    const modes = await Promise.all(
      Array.from({ length: 8 }, async () => {
        expect(await readBackTogether(some)).toEqual(some);
        expect(await readBack(some)).toEqual(some);
        return (await database.read({ sql: 'SELECT @@sql_mode AS mode', params: [] }))[0]?.mode as string;
      }),
    );
    expect(opened).toBeGreaterThan(0);
    expect(modes.some((mode) => mode.includes('ANSI_QUOTES') && mode.includes('STRICT_TRANS_TABLES'))).toBe(true);
    expect(modes.filter((mode) => mode.includes('NO_BACKSLASH_ESCAPES'))).toEqual([]);
  });
});
