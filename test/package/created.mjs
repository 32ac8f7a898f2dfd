import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { APPLICATIONS, execute, TSC_6, useCompiledSqlite } from './applications.mjs';
import { root } from './tarballs.mjs';

/** The Nest CLI of the present; the schematics run in the engine that it brings. */
const NEST_CLI = '12.0.8';

/** The command as it is installed from its tarball. */
const command = (into) => path.join(into, 'cjs-nest11/node_modules/create-waymark/dist/bin.js');

const create = (into, cwd, ...args) =>
  execute(cwd, process.execPath, [command(into), ...args, '--yes', '--skip-install', '--tarballs', into]);

/** A new application: installed, extended by the schematics through the Nest CLI, compiled, tested, started and called. */
export async function checkCreatedApplication(into, { run }) {
  const folder = path.join(into, 'created');
  const failure =
    (await create(into, into, 'created')) ?? (await createVariants(into, folder)) ?? (await installInto(folder));
  if (failure) return [failure];
  useCompiledSqlite(folder);
  const nest = path.join(folder, 'node_modules/@nestjs/cli/bin/nest.js');
  const elements = [
    ['activity', 'payments/charge-card', 'src/payments/charge-card/charge-card.activity.spec.ts'],
    ['trigger', 'payments/payment-received', 'src/payments/payment-received/payment-received.trigger.spec.ts'],
    ['workflow', 'refund', 'src/refund/refund.workflow.spec.ts'],
  ];
  for (const [schematic, name, file] of elements) {
    const generate = ['generate', '-c', '@waymark/schematics', schematic, name];
    const refused = await execute(folder, process.execPath, [nest, ...generate]);
    if (refused) return [refused];
    // The Nest CLI prints what a schematic refuses, and ends with 0.
    if (!existsSync(path.join(folder, file))) return [`nest generate ${schematic} ${name} has not written ${file}`];
  }
  const problems = [
    moduleProblem(folder),
    await execute(folder, process.execPath, [TSC_6, '-p', 'tsconfig.json']),
    await execute(folder, process.execPath, [TSC_6, '-p', 'tsconfig.variants.json']),
  ].filter(Boolean);
  if (problems.length > 0 || !run) return problems;
  return [await execute(folder, 'npm', ['test', '--silent']), await answerProblem(folder, NPM_START)].filter(Boolean);
}

/** What is added to an application that is there: everything resolves from the folder of the one that is installed around it. */
export async function checkAddedApplication(into, { run }) {
  const folder = path.join(into, 'cjs-nest11/existing');
  cpSync(path.join(APPLICATIONS, 'existing-nest11'), folder, { recursive: true });
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(path.join(root, 'node_modules/typescript'), path.join(folder, 'node_modules/typescript'), 'junction');
  const failure = (await create(into, folder)) ?? (await execute(folder, process.execPath, [TSC_6, '-p', '.']));
  if (failure) return [failure];
  const again = (await create(into, folder)) ?? 'it was added twice';
  if (!again.includes('already has workflows')) return [again];
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const missing = ['@waymark/nestjs', '@nestjs/event-emitter', 'typeorm'].filter(
    (name) => !manifest.dependencies[name],
  );
  if (missing.length > 0) return [`package.json lacks ${missing.join(', ')}`];
  return run ? [await answerProblem(folder, BUILT)].filter(Boolean) : [];
}

/** All databases and adapters, with and without Studio: compiled in one go, below the application that is installed. */
async function createVariants(into, folder) {
  mkdirSync(path.join(folder, 'variants'));
  for (const database of ['sqlite', 'mysql', 'postgres']) {
    for (const adapter of ['express', 'fastify']) {
      const studio = adapter === 'express' ? '--no-studio' : '--studio';
      const options = ['--database', database, '--adapter', adapter, studio];
      const failure = await create(into, folder, `variants/${database}-${adapter}`, ...options);
      if (failure) return failure;
    }
  }
  const variants = { extends: './tsconfig.json', compilerOptions: { rootDir: '.' }, include: ['variants/*/src'] };
  writeFileSync(path.join(folder, 'tsconfig.variants.json'), JSON.stringify(variants));
  return undefined;
}

function installInto(folder) {
  const file = path.join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  manifest.devDependencies['@nestjs/cli'] = NEST_CLI;
  manifest.devDependencies['@nestjs/platform-fastify'] = ownVersion('@nestjs/platform-fastify');
  writeFileSync(file, JSON.stringify(manifest, null, 2));
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  return execute(folder, 'npm', ['install', '--ignore-scripts', ...quiet]);
}

const ownVersion = (name) => JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).dependencies[name];

function moduleProblem(folder) {
  const text = readFileSync(path.join(folder, 'src/app.module.ts'), 'utf8');
  const missing = ['ChargeCard', 'PaymentReceived', 'RefundWorkflow'].filter(
    (name) => !new RegExp(`providers: \\[[^\\]]*\\b${name}\\b`).test(text),
  );
  return missing.length === 0 ? undefined : `src/app.module.ts does not provide ${missing.join(', ')}:\n${text}`;
}

/** Compiles as well; the shell that it starts does not pass signals on. */
const NPM_START = { command: 'npm', args: ['start', '--silent'], end: 'exit code 0' };
/** Shut down by Nest, which ends the process by the signal unless it is asked not to. */
const BUILT = { command: process.execPath, args: ['dist/main.js'], end: 'SIGTERM' };

/** Starts the application on a port that the system chooses, orders tea, and ends it. */
async function answerProblem(folder, { command, args, end }) {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', PORT: '0', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  // Not before every process has closed the output: one that outlives npm keeps it open.
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? `exit code ${code}`)));
  let output = '';
  const url = await new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        output += data;
        const found = /Listening on (http:\/\/[\d.]+:\d+)\D/.exec(output)?.[1];
        if (found) resolve(found);
      });
    child.on('close', () => resolve(undefined));
  });
  if (url === undefined) return `the application has ended:\n${output}`;
  const problem = await callProblem(url).catch((error) => String(error.stack));
  child.kill();
  const found = await ended;
  if (problem) return `${problem}\n${output}`;
  return found === end || process.platform === 'win32' ? undefined : `SIGTERM: ${found} in place of ${end}\n${output}`;
}

async function callProblem(url) {
  const answer = await fetch(`${url}/workflows/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ item: 'tea', count: 3 }),
  });
  const text = await answer.text();
  if (text !== '{"item":"tea","total":750}') return `the endpoint answered ${answer.status} ${text}`;
  const refused = await fetch(`${url}/workflows/orders`, { method: 'POST' });
  if (refused.status !== 400) return `an order without a body was answered ${refused.status}`;
  const studio = await fetch(`${url}/studio`);
  return studio.status === 200 ? undefined : `Studio answered ${studio.status}`;
}
