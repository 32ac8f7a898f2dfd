import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The address that pages print; readers and tests have others. */
const PRINTED_URL = 'http://127.0.0.1:3000';

/** A block of commands, and what is printed below it. */
export interface TourStep {
  readonly script: string;
  /** Empty when nothing is printed. */
  readonly printed: string;
  /** The text before it. */
  readonly before: string;
}

/** The commands of a text, in their order. */
export function readTour(text: string): TourStep[] {
  const blocks = [...text.matchAll(/(.*?)```(sh|text)\n(.*?)```/gs)];
  return blocks.flatMap(([, before, kind, script], i) => {
    const next = blocks[i + 1];
    const isAnswered = next?.[2] === 'text' && next[1]!.trim() === '';
    return kind === 'sh' ? [{ script: script!, printed: isAnswered ? next[3]! : '', before: before! }] : [];
  });
}

/**
 * Runs a script as a reader's shell would, and gives what it prints. The host may be in this process.
 * @param url of the host in place of the printed one
 * @throws Error with the script and what it printed when it fails
 */
export async function runStep(script: string, url: string, cwd?: string): Promise<string> {
  const { stdout } = await run('bash', ['-c', script.replaceAll(PRINTED_URL, url)], { cwd });
  return stdout;
}
