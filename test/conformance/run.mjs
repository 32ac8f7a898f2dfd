#!/usr/bin/env node
// Black-box conformance runner for Elsa-compatible servers. See README.md.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Env } from './lib/env.mjs';
import { Context, Skip } from './lib/context.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const USAGE = `node run.mjs --base URL --elsa PATH [options]
  --base URL              server under test (e.g. http://127.0.0.1:3000)
  --elsa PATH             checkout of elsa-core; Elsa's own workflow files are read from there
  --api-key K             send "Authorization: ApiKey K"
  --token T               send "Authorization: Bearer T"
  --user U --password P   log in at /identity/login (default admin / password)
  --only P                run cases whose "group/name" matches P (substring or /regex/)
  --skip P                leave out cases whose "group/name" matches P
  --list                  list the cases and end
  --json FILE             write a report
  --api-prefix P          default /elsa/api
  --http-path P           default /workflows
  --flow-mode M           auto | token | counter (default auto: probed)
  --start-at-past M       skip | catchup: what a StartAt trigger in the past does (default skip)
  --reference             the server is the real Elsa server: failing cases marked "beyond" or "host" count as known
  --fast                  leave out slow cases (more than about 10 s each)
  --concurrency N         cases at a time (default 1)
  --timeout-scale F       multiply every timeout
  --callback-base URL     address under which the server reaches this runner's side server
  --callback-port N       port of the side server (default: any)
  --no-callback           do not start the side server (skips those cases)
  --advance-url URL       POST {"milliseconds":N} there moves the server's clock (test clock)
  --keep                  do not delete what the cases create
  --bail                  stop after the first failure`;

function parse(argv) {
  const o = { user: 'admin', password: 'password', concurrency: 1, timeoutScale: 1 };
  const take = (i) => {
    if (i + 1 >= argv.length) die(`missing value for ${argv[i]}`);
    return argv[i + 1];
  };
  for (let i = 0; i < argv.length; i++) {
    const a = argv[i];
    const valued = {
      '--base': 'base',
      '--elsa': 'elsa',
      '--api-key': 'apiKey',
      '--token': 'token',
      '--user': 'user',
      '--password': 'password',
      '--only': 'only',
      '--skip': 'skip',
      '--json': 'json',
      '--api-prefix': 'apiPrefix',
      '--http-path': 'httpPath',
      '--flow-mode': 'flowMode',
      '--start-at-past': 'startAtPast',
      '--callback-base': 'callbackBase',
      '--advance-url': 'advanceUrl',
    };
    const numeric = {
      '--concurrency': 'concurrency',
      '--timeout-scale': 'timeoutScale',
      '--callback-port': 'callbackPort',
    };
    if (valued[a]) {
      o[valued[a]] = take(i);
      i++;
    } else if (numeric[a]) {
      o[numeric[a]] = Number(take(i));
      i++;
      if (!(o[numeric[a]] >= 0)) die(`${a} takes a number`);
    } else if (a === '--list') o.list = true;
    else if (a === '--fast') o.fast = true;
    else if (a === '--reference') o.reference = true;
    else if (a === '--keep') o.keep = true;
    else if (a === '--bail') o.bail = true;
    else if (a === '--no-callback') o.callback = false;
    else if (a === '--help' || a === '-h') {
      console.log(USAGE);
      process.exit(0);
    } else die(`unknown option ${a}\n${USAGE}`);
  }
  if (o.flowMode && !['auto', 'token', 'counter'].includes(o.flowMode)) die('--flow-mode is auto, token or counter');
  if (o.startAtPast && !['skip', 'catchup'].includes(o.startAtPast)) die('--start-at-past is skip or catchup');
  return o;
}
function die(m) {
  console.error(m);
  process.exit(2);
}
function matcher(p) {
  if (!p) return undefined;
  const m = /^\/(.*)\/([a-z]*)$/.exec(p);
  const re = m ? new RegExp(m[1], m[2] || 'i') : undefined;
  return (s) => (re ? re.test(s) : s.toLowerCase().includes(p.toLowerCase()));
}

async function loadCases() {
  const files = fs
    .readdirSync(path.join(here, 'cases'))
    .filter((f) => f.endsWith('.mjs'))
    .sort();
  const all = [],
    names = new Set();
  for (const f of files) {
    const m = await import(pathToFileURL(path.join(here, 'cases', f)).href);
    const g = m.default;
    if (!g?.group || !Array.isArray(g.cases)) throw new Error(`cases/${f}: default export must be {group, cases}`);
    for (const c of g.cases) {
      const full = `${g.group}/${c.name}`;
      if (typeof c.run !== 'function') throw new Error(`cases/${f}: ${full} has no run()`);
      for (const mark of ['doubt', 'beyond', 'host'])
        if (c[mark] !== undefined && (typeof c[mark] !== 'string' || !c[mark].trim()))
          throw new Error(`cases/${f}: ${full}: ${mark} must be a sentence`);
      if (names.has(full)) throw new Error(`cases/${f}: duplicate case ${full}`);
      names.add(full);
      all.push({
        ...c,
        group: g.group,
        full,
        file: f,
        requires: [...(g.requires ?? []), ...(c.requires ?? [])],
        timeout: c.timeout ?? g.timeout ?? 30000,
      });
    }
  }
  return all;
}

async function runCase(env, c, o) {
  const started = Date.now();
  const result = {
    group: c.group,
    name: c.name,
    file: c.file,
    source: c.source,
    requires: c.requires,
    doubt: c.doubt,
    beyond: c.beyond,
    host: c.host,
  };
  const done = (status, reason, t) => ({
    ...result,
    status,
    reason,
    ms: Date.now() - started,
    assertions: t?.assertions ?? 0,
    notes: t?.notes?.length ? t.notes : undefined,
  });
  for (const cap of c.requires) {
    const has = await env.has(cap);
    if (has !== true) return done('skip', has);
  }
  const controller = new AbortController();
  const t = new Context(env, c, controller.signal);
  const limit = Math.round(c.timeout * env.timeoutScale);
  let timer, outcome;
  try {
    const timeout = new Promise((_, reject) => {
      timer = setTimeout(() => {
        controller.abort();
        reject(new Error(`timeout: the case took longer than ${limit} ms`));
      }, limit);
    });
    const body = Promise.resolve().then(() => c.run(t));
    body.catch(() => {}); // a late rejection after the timeout is not news
    await Promise.race([body, timeout]);
    outcome = t.assertions > 0 ? done('pass', undefined, t) : done('FAIL', 'the case made no assertion', t);
  } catch (e) {
    outcome =
      e instanceof Skip
        ? done('skip', e.message, t)
        : done(
            'FAIL',
            (e?.name === 'Fail' || e?.name === 'HttpError' || /^timeout:/.test(e?.message)
              ? ''
              : `${e?.name ?? 'Error'}: `) + (e?.message ?? String(e)),
            t,
          );
    if (outcome.status === 'FAIL' && !['Fail', 'HttpError'].includes(e?.name)) outcome.stack = e?.stack;
  } finally {
    clearTimeout(timer);
    const cleanupAbort = new AbortController();
    const guard = setTimeout(() => cleanupAbort.abort(), 20000 * env.timeoutScale);
    try {
      const problems = await t.cleanup(cleanupAbort.signal);
      if (problems.length && outcome) outcome.cleanup = problems;
    } catch (e) {
      if (outcome) outcome.cleanup = [e.message];
    }
    clearTimeout(guard);
    if (outcome) outcome.ms = Date.now() - started;
  }
  if (o.reference && outcome.status === 'FAIL' && (c.beyond || c.host)) outcome.status = 'known';
  return outcome;
}

const oneLine = (s) =>
  String(s ?? '')
    .replace(/\s+/g, ' ')
    .trim();

async function main() {
  const o = parse(process.argv.slice(2));
  let cases = await loadCases();
  const only = matcher(o.only),
    skip = matcher(o.skip);
  cases = cases.filter((c) => (!only || only(c.full)) && (!skip || !skip(c.full)) && !(o.fast && c.slow));
  if (o.list) {
    const groups = new Map();
    for (const c of cases) groups.set(c.group, (groups.get(c.group) ?? 0) + 1);
    for (const c of cases)
      console.log(`${c.full}${c.requires.length ? ` [${c.requires.join(', ')}]` : ''}${c.slow ? ' (slow)' : ''}`);
    console.log([...groups].map(([g, n]) => `${g}: ${n}`).join('\n'));
    console.log(`${cases.length} cases in ${groups.size} groups`);
    return;
  }
  if (!o.base) die(`--base is needed\n${USAGE}`);
  if (o.elsa && !fs.existsSync(o.elsa)) die(`--elsa: no such folder: ${o.elsa}`);
  const env = new Env(o);
  try {
    await env.connect(o);
  } catch (e) {
    console.error(`cannot use ${env.base}: ${e.message}`);
    process.exit(2);
  }
  const version = await env.version();
  console.log(
    `# ${env.base}${env.apiPrefix} (auth: ${env.authKind}${version ? `, reports version ${version}` : ''}); ${cases.length} cases; Elsa checkout: ${o.elsa ? 'given' : 'not given'}`,
  );

  const results = [];
  const report = (r) => {
    results.push(r);
    const marks = ['FAIL', 'known'].includes(r.status)
      ? ['doubt', 'beyond', 'host']
          .filter((m) => r[m])
          .map((m) => ` [${m}: ${oneLine(r[m])}]`)
          .join('')
      : '';
    const clean = r.cleanup ? ` [clean-up: ${oneLine(r.cleanup.join('; '))}]` : '';
    console.log(
      `${r.status} ${r.group}/${r.name} (${r.ms} ms)${r.reason ? ` - ${oneLine(r.reason)}` : ''}${marks}${clean}`,
    );
  };
  const startedAt = new Date();
  let stop = false;
  const shared = cases.filter((c) => !c.exclusive),
    exclusive = cases.filter((c) => c.exclusive);
  const queue = shared.slice();
  await Promise.all(
    Array.from({ length: Math.max(1, o.concurrency) }, async () => {
      for (let c; !stop && (c = queue.shift());) {
        const r = await runCase(env, c, o);
        report(r);
        if (o.bail && r.status === 'FAIL') stop = true;
      }
    }),
  );
  for (const c of exclusive) {
    if (stop) break;
    const r = await runCase(env, c, o);
    report(r);
    if (o.bail && r.status === 'FAIL') stop = true;
  }

  const count = (s) => results.filter((r) => r.status === s).length;
  const totals = {
    passed: count('pass'),
    failed: count('FAIL'),
    ...(o.reference ? { known: count('known') } : {}),
    skipped: count('skip'),
  };
  if (o.json) {
    const capabilities = Object.fromEntries(env.caps);
    const report = {
      base: env.base,
      apiPrefix: env.apiPrefix,
      httpPath: env.httpPath,
      serverVersion: version,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      capabilities,
      totals,
      results,
    };
    fs.writeFileSync(o.json, JSON.stringify(report, null, 2) + '\n');
  }
  const marked = o.reference ? results.filter((r) => r.status === 'pass' && (r.beyond || r.host)) : [];
  if (marked.length)
    console.log(`# marked beyond or host, but passed here: ${marked.map((r) => `${r.group}/${r.name}`).join('; ')}`);
  console.log(
    `${totals.passed} passed, ${totals.failed} failed, ${o.reference ? `${totals.known} known, ` : ''}${totals.skipped} skipped`,
  );
  env.close();
  process.exitCode = totals.failed || results.length === 0 ? 1 : 0;
}

main().catch((e) => {
  console.error(e);
  process.exit(2);
});
