import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execute } from './applications.mjs';

/** The newest of each line that npm has as a package of binaries for this platform. */
export const NODE_VERSIONS = ['22.23.0', '24.21.0'];

const isWindows = process.platform === 'win32';
/** The package `node` picks one of these by an install script; this is the one that it picks, so that no script has to run. */
export const NODE_PACKAGE = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
const folderOf = (version, into) => path.join(into, `node-${version}`);

/** The program of a Node that `installNode` has installed. */
export const nodeProgram = (version, into) =>
  path.join(folderOf(version, into), 'node_modules', NODE_PACKAGE, 'bin', isWindows ? 'node.exe' : 'node');

/** Installs a Node that npm delivers. @returns the problems */
export async function installNode(version, into) {
  const folder = folderOf(version, into);
  mkdirSync(folder, { recursive: true });
  if (await unpackProgram(version, into)) return [];
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: { [NODE_PACKAGE]: version } }),
  );
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const failure = await execute(folder, 'npm', ['install', ...quiet]);
  if (failure) return [failure];
  const program = nodeProgram(version, into);
  return existsSync(program) ? [] : [`${NODE_PACKAGE}@${version} has no ${program}`];
}

/**
 * The program alone, where there is a `tar`: of two and a half thousand files of the package, which npm takes twice as long to unpack.
 * @returns false where it did not work, and npm has to install it
 */
async function unpackProgram(version, into) {
  const folder = folderOf(version, into);
  const quiet = ['--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  const program = nodeProgram(version, into);
  const place = path.dirname(path.dirname(program));
  mkdirSync(place, { recursive: true });
  const tarball = path.join(folder, `${NODE_PACKAGE}-${version}.tgz`);
  const inTarball = ['package', path.relative(place, program)].join('/').replaceAll('\\', '/');
  const failure =
    (await execute(folder, 'npm', ['pack', `${NODE_PACKAGE}@${version}`, ...quiet])) ??
    (await execute(folder, 'tar', ['-xzf', tarball, '--strip-components=1', '-C', place, inTarball]));
  rmSync(tarball, { force: true });
  return failure === undefined && existsSync(program);
}

/** A workflow that waits, the end of its process by SIGKILL, and another process that lets it go on: on that Node. */
export async function checkSurvivor(name, into, node) {
  const folder = path.join(into, name);
  const database = path.join(folder, 'survivor.db');
  for (const end of ['', '-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
  const start = await run(node, folder, ['start', `sqlite:${database}`]);
  if (!start.ready) return [`it ended before its workflow waited:\n${start.output}`];
  const resume = await run(node, folder, ['resume', `sqlite:${database}`]);
  return resume.code === 0 && resume.output.includes('finished') ? [] : [`after the kill:\n${resume.output}`];
}

/** Ends the process the hard way once its workflow waits; otherwise it ends by itself. */
function run(node, folder, args) {
  const child = spawn(node, ['dist/survivor.js', ...args], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  let output = '';
  let ready = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
      if (!output.includes('waiting')) return;
      ready = true;
      child.kill('SIGKILL');
    });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ready, output })));
}
