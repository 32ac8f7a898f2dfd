// Loops that are entered in several places, first tokens, and names and dates as Elsa writes them.
import {
  W,
  chain,
  decision,
  executeWorkflow,
  flow,
  httpEndpoint,
  httpResponse,
  js,
  lit,
  liquid,
  out,
  runJs,
  seq,
  setOutput,
  setVariable,
  start,
  variable,
  workflow,
} from '../lib/build.mjs';
import { line, wf, writes } from '../lib/lines.mjs';

/** Start -> c, a; c -> D, a -> D; D goes back to a, or on to z. The way by c enters the loop of a and D in its middle. */
const twoEntries = (first, condition) =>
  flow(
    'F',
    [start('S'), W('c', 'c'), W('a', 'a'), decision('D', condition), W('z', 'z')],
    [...(first === 'c' ? ['S->c', 'S->a'] : ['S->a', 'S->c']), 'c->D', 'a->D', 'D:True->a', 'D:False->z'],
  );
const dated = (text) => ({
  name: `a date: ${text}`,
  async run(t) {
    const due = variable('Due', 'DateTimeOffset');
    const shown = line('L', 'new Date(getDue()).toISOString()');
    const model = wf(t, [setVariable('S', due, lit(text, 'Object')), shown], { variables: [due] });
    await t.runAndExpect(model, ['2026-08-01T22:11:12.000Z']);
  },
});
const Result = variable('Res', 'Object');

export default {
  group: 'loops-and-names',
  description: 'loops with several entries, first tokens, names and dates of Elsa',
  requires: ['javascript'],
  cases: [
    writes(
      'a loop with two entries that is not followed, the farther entry drawn first',
      () => twoEntries('c', false),
      ['c', 'a', 'z'],
    ),
    writes('a loop with two entries that is not followed, the nearer entry drawn first', () => twoEntries('a', false), [
      'a',
      'c',
      'z',
    ]),
    {
      name: 'a loop with two entries faults when it is followed, counted',
      requires: ['flow:counter'],
      async run(t) {
        const options = await t.incident('Fault');
        const r = await t.run(wf(t, twoEntries('c', true), { options }), {}, { expect: 500 });
        t.match(r.state.incidents[0].message, /^Invalid backward connection/, 'message');
        await t.expectLines(r.instanceId, ['c', 'a']);
      },
    },
    writes(
      'a first token blocks the outcomes that were taken with it',
      () =>
        flow(
          'F',
          [runJs('J', 'setOutcomes(["A", "B"])'), W('R', 'r', { custom: { mergeMode: 'Race' } }), W('z', 'z')],
          ['J:A->R', 'J:B->R', 'R->z'],
        ),
      ['r', 'z'],
    ),
    dated('8/1/2026 10:11:12 PM'),
    dated('Saturday, August 1, 2026 10:11:12 PM'),
    dated('1 Aug 2026 22:11:12'),
    {
      name: 'the result of ExecuteWorkflow is read by its names in .NET',
      async run(t) {
        const r = await t.run([
          workflow(t.id('child'), seq('C', [setOutput('O', 'Answer', 42)])),
          workflow(
            t.id('parent'),
            seq('P', [
              executeWorkflow('Ex', t.id('child'), { wait: true, result: out(Result) }),
              line('A', '"" + getRes().Output.Answer'),
              line('B', '"" + !!getRes().WorkflowInstanceId'),
              W('C', liquid('{{ Variables.Res.Output.Answer }}')),
            ]),
            { variables: [Result] },
          ),
        ]);
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['42', 'true', '42']);
      },
    },
    {
      name: 'a request is read by its names in .NET',
      async run(t) {
        const request = variable('Rq', 'Object', undefined, { storage: null });
        const endpoint = httpEndpoint('In', t.path(), { methods: ['POST'], outputs: { result: out(request) } });
        const answer = httpResponse('Out', js('getRq().Method + " " + getRq().ContentType'));
        await t.deploy(workflow(t.id(), chain('F', [endpoint, answer]), { variables: [request] }));
        t.eq((await t.post(t.path(), { a: 1 })).text, 'POST application/json', 'answer');
      },
    },
    {
      name: 'a boolean in a text is spelled as in .NET, in JSON as JSON',
      async run(t) {
        const answer = (id, path, contentType) =>
          workflow(
            t.id(id),
            seq('S', [httpEndpoint('In', t.path(path)), httpResponse('Out', js('true'), { contentType })]),
          );
        await t.deploy(answer('a', 'text', 'text/plain'));
        await t.deploy(answer('b', 'json'));
        t.eq([(await t.get(t.path('text'))).text, (await t.get(t.path('json'))).text], ['True', 'true'], 'answers');
      },
    },
  ],
};
