import mysql from 'mysql2/promise';
import pg from 'pg';

/** As the tests have them; see CONTRIBUTING.md. */
const SERVERS = {
  mysql: process.env.WAYMARK_TEST_MYSQL_URL ?? 'mysql://waymark:waymark@127.0.0.1:3306/waymark_test',
  postgres: process.env.WAYMARK_TEST_POSTGRES_URL ?? 'postgres://waymark:waymark@127.0.0.1:5432/waymark_test',
};
const namesIn = (variable) => (process.env[variable] ?? '').split(',').map((name) => name.trim());

/** Of databases: applications have tables of one name, and several of them run at once. */
let count = 0;

/**
 * Runs something with the address of a database of its own on a server.
 * @returns the problems that it returns; none, and a line that says so, where the server cannot be used and need not be
 */
export async function onServer(name, work) {
  let query;
  const database = `waymark_pack_${process.pid}_${++count}`;
  try {
    if (namesIn('WAYMARK_HIDE_BACKENDS').includes(name)) throw new Error('hidden by WAYMARK_HIDE_BACKENDS');
    query = await connect(name);
    await query(`CREATE DATABASE ${database}`);
  } catch (error) {
    await query?.end();
    if (namesIn('WAYMARK_REQUIRE_BACKENDS').includes(name)) return [`${name}: ${error.message}`];
    console.log(`NOT RUN on ${name}: ${error.message}`);
    return [];
  }
  try {
    const url = new URL(SERVERS[name]);
    url.pathname = `/${database}`;
    return await work(url.href);
  } finally {
    await query(`DROP DATABASE ${database}`);
    await query.end();
  }
}

async function connect(name) {
  if (name === 'mysql') {
    const connection = await mysql.createConnection({ uri: SERVERS.mysql, connectTimeout: 3000 });
    return Object.assign((sql) => connection.query(sql), { end: () => connection.end() });
  }
  const client = new pg.Client({ connectionString: SERVERS.postgres, connectionTimeoutMillis: 3000 });
  await client.connect();
  return Object.assign((sql) => client.query(sql), { end: () => client.end() });
}
