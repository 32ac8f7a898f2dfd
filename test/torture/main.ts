// npm run torture -- --help
import { parseArgs } from 'node:util';
import { describeBackends, testBackends } from '../support/backends.js';
import { torture } from './torture.js';

const USAGE = `npm run torture -- [options]

  --databases a,b   sqlite, mysql, postgres; default: all that can be reached
  --seconds N       how long nodes are killed on each database (default 60); then everything comes to rest and is audited
  --nodes N         processes on one database (default 3)
  --clients N       clients at the same time (default 12)
  --kill-every MS   mean pause between two kills (default 3000)
  --cut-every MS    mean pause between two cuts of a connection (default 700)
  --fault-every MS  mean pause between two partial faults: black holes, latency, cut commits, refused writes,
                    too few connections (default 2000)
  --step-every MS   mean pause between two steps of a node's clock, up to 11 minutes each way (default 5000)
  --suspend-every MS
                    mean pause between two suspensions of a process by SIGSTOP (default: never)
  --disturb COMMAND
                    a command of the shell that disturbs the server itself, for example 'pg_ctl restart -m immediate …'
  --disturb-every MS
                    mean pause between two of these commands (default 10000)
  --fail-over-every MS
                    mean pause between two failovers: all writes and locks are refused, then all connections end (default: never)
  --fail-over-for SECONDS
                    how long they are refused (default 20)
  --longest-fault SECONDS
                    the longest of these faults; claims last 30 seconds (default 12)
  --other-build DIR half of the nodes run that build of Waymark: a clone of this repository at another commit, after
                    npm ci and npm run build:test
  --seed N          repeats the choices of an earlier run (default: from the clock); it is printed

A pause of 0 means: never.
`;

const { values } = parseArgs({
  options: {
    databases: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    nodes: { type: 'string', default: '3' },
    clients: { type: 'string', default: '12' },
    'kill-every': { type: 'string', default: '3000' },
    'cut-every': { type: 'string', default: '700' },
    'fault-every': { type: 'string', default: '2000' },
    'step-every': { type: 'string', default: '5000' },
    'suspend-every': { type: 'string', default: '0' },
    disturb: { type: 'string' },
    'disturb-every': { type: 'string', default: '10000' },
    'fail-over-every': { type: 'string', default: '0' },
    'fail-over-for': { type: 'string', default: '20' },
    'longest-fault': { type: 'string', default: '12' },
    'other-build': { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const numberOf = (name: Exclude<keyof typeof values, 'databases' | 'other-build' | 'disturb' | 'help'>): number => {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value >= 0) return value;
  process.stderr.write(`--${name} is a number of 0 or more, not '${values[name]}'.\n\n${USAGE}`);
  process.exit(2);
};
const everyOf = (name: 'fail-over' | 'kill' | 'cut' | 'fault' | 'step' | 'suspend' | 'disturb'): number =>
  numberOf(`${name}-every`) || Infinity;
const options = {
  seed: numberOf('seed'),
  seconds: numberOf('seconds'),
  nodes: numberOf('nodes'),
  clients: numberOf('clients'),
  killEveryMs: everyOf('kill'),
  cutEveryMs: everyOf('cut'),
  faultEveryMs: everyOf('fault'),
  stepEveryMs: everyOf('step'),
  suspendEveryMs: everyOf('suspend'),
  disturb: values.disturb,
  disturbEveryMs: everyOf('disturb'),
  failOverEveryMs: everyOf('fail-over'),
  failOverMs: numberOf('fail-over-for') * 1000,
  longestFaultMs: numberOf('longest-fault') * 1000,
  otherBuild: values['other-build'],
};
const backends = await testBackends('sqlite', 'mysql', 'postgres');
process.stderr.write(`torture: ${describeBackends(backends)}`);
const wanted = values.databases?.split(',');
let isClean = true;
for (const backend of backends.available) {
  if (wanted && !wanted.includes(backend.name)) continue;
  process.stderr.write(`${backend.name}: ${options.seconds} s, seed ${options.seed}\n`);
  const { findings, figures } = await torture(backend, options);
  process.stdout.write(`${JSON.stringify({ database: backend.name, seed: options.seed, ...figures, findings })}\n`);
  if (findings.length > 0) isClean = false;
  else await backend.drop();
}
process.exit(isClean ? 0 : 1);
