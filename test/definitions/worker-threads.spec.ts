import { expect, it } from '@jest/globals';
import { IWorkflowRuntime } from '@waymark/runtime';
import { js, runJs, seq, setOutput, variable, workflow } from '../conformance/lib/build.mjs';
import { TestApplication } from '../support/application.js';
import { uniqueId, useApplication } from '../support/use-application.js';

const javascript = { sandbox: 'worker', sandboxOnly: true, workers: 1 } as const;
const test = useApplication({ javascript });

it('scripts read and write their workflow', async () => {
  const root = seq('S', [
    runJs(
      'R',
      'const big = await Promise.all([1, 2].map(async (n) => n * 21)); setTotal(big.at(-1)); variables.When = new Date(5)',
    ),
    setOutput(
      'O',
      'Out',
      js('[getTotal(), getWhen() instanceof Date, getInput("Name"), getWorkflowDefinitionVersion()]'),
    ),
  ]);
  const run = await test.run(root, {
    variables: [variable('Total'), variable('When')],
    request: { input: { Name: 'Ann' } },
  });
  expect([run.status, ...run.incidents]).toEqual(['Finished']);
  expect(run.output['Out']).toEqual([42, true, 'Ann', 1]);
});

it('an error of a script faults its activity as ever', async () => {
  const run = await test.run(seq('S', [runJs('R', 'getNothing()')]));
  expect(run.incidents).toEqual([expect.stringContaining("ReferenceError: 'getNothing' is not defined (line 1)")]);
});

it('an instance whose script computes does not delay others', async () => {
  let started!: () => void;
  const computing = new Promise<void>((resolve) => (started = resolve));
  let isEnough = false;
  const app = await TestApplication.start({
    javascript: {
      ...javascript,
      sandboxOnly: false,
      timeoutMs: 600_000,
      globals: [
        { name: 'started', invoke: () => started() },
        { name: 'isEnough', invoke: () => isEnough },
      ],
    },
  });
  const computes = 'started(); for (let i = 1; i % 1e5 !== 0 || !isEnough(); i++); "enough"';
  const [long, short] = [
    workflow(uniqueId(), seq('S', [setOutput('O', 'Out', js(computes))])),
    workflow(uniqueId(), seq('S', [setOutput('O', 'Out', js('getInput("N") + 1'))])),
  ];
  await app.deploy(long, short);
  const execution = app.execute(long.definitionId);
  await computing;
  const runtime = app.get(IWorkflowRuntime);
  for (let n = 0; n < 20; n++) {
    const client = await runtime.createClient();
    const { status } = await client.createAndRunInstance({ definition: short.definitionId, input: { N: n } });
    expect(status).toBe('Finished');
  }
  isEnough = true;
  expect((await execution).output['Out']).toBe('enough');
  await app.close();
});
