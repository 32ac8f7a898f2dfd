import { describe, expect, it } from '@jest/globals';
import { W, act, js, runJs, seq, setVariable, variable, workflow } from '../conformance/lib/build.mjs';
import { uniqueId, useApplication } from '../support/use-application.js';

const test = useApplication();
const n = variable('N', 'Int32', 0);
/** Fails until it has been tried that often. */
const flaky = (successAt: number, retryPolicy: object, id = 'J') =>
  runJs(id, `setN(getN() + 1); if (getN() < ${successAt}) throw new Error("try " + getN()); return getN();`, {
    custom: { retryPolicy },
  });
const MINUTE = 60_000;

describe('retry policies', () => {
  it.each<[string, object, number[]]>([
    ['constant', { maxAttempts: 4, delay: '00:01:00', backoff: 'Constant' }, [1, 1, 1]],
    ['linear', { maxAttempts: 4, delay: '00:01:00', backoff: 'Linear' }, [1, 2, 3]],
    ['exponential, which is the default', { maxAttempts: 4, delay: '00:01:00' }, [1, 2, 4]],
    ['not longer than the longest', { maxAttempts: 4, delay: '00:01:00', maxDelay: '00:02:00' }, [1, 2, 2]],
  ])('%s', async (_, policy, minutes) => {
    let run = await test.run(seq('S', [flaky(4, policy), W('w', js('"" + getOutputFrom("J")'))]), { variables: [n] });
    for (const wait of minutes) {
      expect([run.status, run.incidents]).toEqual(['Suspended', []]);
      await test.app.advance(wait * MINUTE - 1);
      expect((await run.again()).status).toBe('Suspended');
      await test.app.advance(1);
      run = await run.again();
    }
    expect([run.status, run.lines]).toEqual(['Finished', ['4']]);
    expect(run.log.filter((e) => e.eventName === 'Retrying')).toHaveLength(3);
    expect(run.recordsOf('J')).toHaveLength(1);
  });

  it.each<[unknown, RegExp]>([
    [{ maxAttempts: 0 }, /maxAttempts is a whole number/],
    [{ maxAttempts: 'x' }, /maxAttempts is a whole number/],
    [{ maxAttempts: 3, delay: 'bogus' }, /delay is a time span/],
    [{ maxAttempts: 3, backoff: 'Random' }, /backoff is one of/],
    [{ maxAttempts: 3, errors: 'WM1' }, /errors is a list/],
    [5, /give an object/],
  ])('%j is refused when it is published', async (retryPolicy, message) => {
    const step = runJs('J', 'return 1;', { custom: { retryPolicy } });
    await expect(test.app.deploy(workflow(uniqueId('policy'), seq('S', [step])))).rejects.toThrow(message);
  });

  it('the last failure is an incident', async () => {
    const run = await test.run(seq('S', [flaky(9, { maxAttempts: 2, delay: '00:00:01' })]), { variables: [n] });
    await test.app.advance(1000);
    const done = await run.again();
    expect([done.status, done.incidents]).toEqual(['Faulted', [expect.stringContaining('try 2')]]);
  });

  it('only named errors are tried again', async () => {
    const policy = { maxAttempts: 3, delay: '00:00:01', errors: ['SomethingElse'] };
    expect((await test.run(flaky(2, policy), { variables: [n] })).status).toBe('Faulted');
  });

  it('a fault on purpose is not tried again', async () => {
    const run = await test.run(act('Elsa.Fault', 'F', {}, { custom: { retryPolicy: { maxAttempts: 3 } } }));
    expect(run.status).toBe('Faulted');
  });

  it('inputs are evaluated anew for each attempt', async () => {
    const input = js('setN(getN() + 1); if (getN() < 2) throw new Error("x"); return "at " + getN();');
    const run = await test.run(W('w', input, { custom: { retryPolicy: { maxAttempts: 2, delay: '00:00:01' } } }), {
      variables: [n],
    });
    await test.app.advance(1000);
    expect([(await run.again()).status, (await run.again()).record('w').activityState?.Text]).toEqual([
      'Finished',
      'at 2',
    ]);
  });

  it('a waiting attempt is cancelled with its instance', async () => {
    const run = await test.run(seq('S', [flaky(2, { maxAttempts: 2, delay: '00:00:01' }), setVariable('Set', n, 9)]), {
      variables: [n],
    });
    await run.cancel();
    await test.app.advance(MINUTE);
    expect([(await run.again()).status, (await run.again()).started]).toEqual(['Cancelled', ['Workflow1', 'S', 'J']]);
  });
});
