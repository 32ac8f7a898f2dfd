import { cpus, loadavg } from 'node:os';
import { BenchDatabases } from './databases/databases.js';
import { type BenchOptions, readOptions, type ScenarioName, USAGE } from './options.js';
import { buildBench } from './processes/build.js';
import { drawGrowth } from './report/growth/write-growth.js';
import { Report } from './report/report.js';
import { against } from './scenarios/against.js';
import { crossNode } from './scenarios/cross-node.js';
import { encryption } from './scenarios/encryption.js';
import { growth } from './scenarios/growth/growth.js';
import { httpSync } from './scenarios/http-sync.js';
import { attempt, type Scenario } from './scenarios/scenario.js';
import { start } from './scenarios/start.js';
import { steps } from './scenarios/steps.js';
import { timers } from './scenarios/timers/timers.js';
import { suspendResume } from './scenarios/suspend-resume.js';

const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  'http-sync': httpSync,
  steps,
  'suspend-resume': suspendResume,
  encryption,
  'cross-node': crossNode,
  growth,
  start,
  timers,
  against,
};

async function main(options: BenchOptions): Promise<void> {
  const startedAt = performance.now();
  const report = new Report();
  if (options.draw.length > 0) {
    await drawGrowth(options.output, options.draw, options.before);
    return report.progress(`curves and tables are in ${options.output}`);
  }
  if (options.build) {
    report.progress('compiling');
    await buildBench();
  }
  report.value('environment', 'machine', 'node', process.version);
  report.value('environment', 'machine', 'processors', cpus().length);
  report.value('environment', 'machine', 'load_before', loadavg()[0]!);
  const databases = new BenchDatabases();
  // Tables are dropped when somebody stops the run, too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void databases.close().finally(() => process.exit(1)));
  try {
    await databases.open(options, report);
    const bench = { options, report, databases };
    for (const name of options.scenarios) await attempt(bench, name, 'all', () => scenarios[name](bench));
  } finally {
    await databases.close();
  }
  report.table();
  report.progress(`done in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

function optionsOrUsage(): BenchOptions | undefined {
  if (process.argv.includes('--help')) {
    console.log(USAGE);
    return undefined;
  }
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    process.exitCode = 2;
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return undefined;
  }
}

const options = optionsOrUsage();
if (options) await main(options);
