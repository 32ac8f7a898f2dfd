import { spawnSync } from 'node:child_process';

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

/** Runs a script as a reader's shell would. @param url of the host in place of the printed one @throws Error when it fails */
export function runStep(script: string, url: string, cwd?: string): string {
  const own = script.replaceAll(PRINTED_URL, url);
  const { status, stdout, stderr, error } = spawnSync('bash', ['-c', own], { encoding: 'utf8', cwd });
  if (status !== 0) throw error ?? new Error(`${own}\nended with status ${status}: ${stderr}`);
  return stdout;
}
