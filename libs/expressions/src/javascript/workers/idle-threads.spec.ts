import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from '@jest/globals';
import { itAfterQuick } from '../../../../../test/support/pairs.js';

const PROCESS_MS = 120_000;

itAfterQuick(
  'the end of the process is not put off by idle threads, and does not come while a script runs',
  async () => {
    const source = `
      import { JavaScriptEvaluator } from '@waymark/expressions/adapter';
      const evaluator = new JavaScriptEvaluator({ sandbox: 'worker', sandboxOnly: true });
      const scope = { signal: undefined, inputNames: () => [], hasVariable: () => false, variableNames: () => [] };
      console.log(await evaluator.compile('let n = 0; for (let i = 0; i < 1e5; i++) n += i; n')(scope));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect([output, code]).toEqual(['4999950000\n', 0]);
  },
  PROCESS_MS,
);
