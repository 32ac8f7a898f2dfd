// The last lines of a test run: which backends the tests had, why not the others, and what a quick run has left out. Before them, the
// tables go that files have used one after the other.
export default async function tearDown() {
  const { describeBackends, PROBED_VARIABLE } = await import('../dist/support/probe.js');
  const { mysql, postgres } = JSON.parse(process.env[PROBED_VARIABLE] ?? '{}');
  const { dropTablesOfRun } = await import('../dist/support/server-connection.js');
  const found = { available: [{ name: 'memory' }, { name: 'sqlite' }], skipped: [] };
  for (const [name, probed] of Object.entries({ mysql, postgres })) {
    if (probed.url) {
      await dropTablesOfRun(name, probed.url);
      found.available.push({ name });
    } else found.skipped.push({ name, reason: probed.reason });
  }
  process.stderr.write(describeBackends(found));
  if (process.env.WAYMARK_TEST_DEPTH !== 'full')
    process.stderr.write('long tests: a sample; all of them with WAYMARK_TEST_DEPTH=full\n');
  const { WAYMARK_TEST_DRAW: draw, WAYMARK_TEST_PAIRS: pairs } = process.env;
  const drawn = draw && pairs === 'others' ? `, drawn by WAYMARK_TEST_DRAW=${draw}` : '';
  if (pairs !== 'all')
    process.stderr.write(`stores and adapters: some for each suite${drawn}; all with WAYMARK_TEST_PAIRS=all\n`);
}
