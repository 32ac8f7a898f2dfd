import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import { once } from 'node:events';
import { afterEach, expect, it, jest } from '@jest/globals';
import { familyOf, isShown, lowerPriority, type Process } from '../../scripts/processes.mjs';
import { countBrowsers } from '../../scripts/server-costs.mjs';

const child = { name: 'node', seconds: 0, secondsOfChildren: 0, startedAt: '0' };
let shell: ChildProcess | undefined;
afterEach(() => {
  shell?.stdin?.end();
  shell = undefined;
});

it('the family of a process is all that it has started, directly or not', () => {
  const all = [
    { ...child, id: 5, parent: 4 },
    { ...child, id: 4, parent: 1 },
    { ...child, id: 6, parent: 2 },
    { ...child, id: 7, parent: 5 },
  ];
  expect(familyOf(4, all)).toEqual([4, 5, 7]);
});

(isShown ? it : it.skip)('a lower priority reaches what a process has started', async () => {
  // Both wait for the end of their input.
  shell = spawn('sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; wait'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(shell.stdout!, 'data')) as [Buffer];
  lowerPriority(shell.pid!, 10);
  expect(os.getPriority(shell.pid)).toBe(10);
  expect(os.getPriority(Number(String(line)))).toBe(10);
});

it('processes of browsers that come and go are counted, those of others and what was before are not', () => {
  jest.useFakeTimers();
  const at = (id: number, name: string, seconds: number): Process => ({ ...child, id, parent: 1, name, seconds });
  let there = [at(1, 'chromium', 10), at(2, 'postgres', 5)];
  const end = countBrowsers(() => there);
  there = [at(1, 'chromium', 11), at(2, 'postgres', 9), at(3, 'chromium-headle', 2), at(4, 'headless_shell', 3)];
  jest.advanceTimersByTime(1000);
  there = [at(1, 'chromium', 12), { ...at(3, 'chromium-headle', 0.5), startedAt: '1' }];
  expect(end()).toBe(2 + 2 + 3 + 0.5);
});
