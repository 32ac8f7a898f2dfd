// What a script of package.json does, without npm: that takes two fifths of a second of the processor to start a command, and a run of
// `npm run verify` has twenty of them.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * As `npm run --silent <name> -- <args>` would run it, with the programs of `node_modules/.bin`.
 * @param isPrepared leaves out what npm would run before it, as `--ignore-scripts` does
 * @returns `{ command, args, env }` of a process in the folder
 * @throws Error when package.json has no such script
 */
export function packageScript(root, name, { args = [], isPrepared = false, env = process.env } = {}) {
  // A shell of Windows finds programs and quotes arguments in its own way, which npm knows.
  if (process.platform === 'win32') {
    const options = ['--silent', ...(isPrepared ? ['--ignore-scripts'] : [])];
    return { command: 'npm', args: ['run', ...options, name, '--', ...args], env };
  }
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  if (scripts[name] === undefined) throw new Error(`package.json has no script "${name}".`);
  const before = isPrepared ? undefined : scripts[`pre${name}`];
  const own = `${scripts[name]} "$@"`;
  // In a shell of their own: `exec` or `cd` of one says nothing to the next.
  const lines = before === undefined ? own : `( ${before} ) && ${own}`;
  const programs = path.join(root, 'node_modules/.bin');
  return {
    command: 'sh',
    args: ['-c', lines, name, ...args],
    env: { ...env, PATH: `${programs}${path.delimiter}${env.PATH ?? ''}` },
  };
}
