import { FastifyAdapter } from '@nestjs/platform-fastify';
import { WorkflowOpenApi } from '../openapi/workflow-open-api.js';
import { act, endpoint, ref, respond, lit, startApp, type TestServer, variable } from './testing/http-test-app.js';

// What the body of a request becomes depends on the type of what receives it: a variable, or an output of the workflow.

let server: TestServer;
beforeAll(async () => void (server = await startApp(new FastifyAdapter(), { openApi: {} })));
afterAll(() => server.app.close());

let count = 0;
const output = (name: string, type: string, isArray = false) => ({ name, type, isArray });
const json = (body: string) => ({ body, headers: { 'Content-Type': 'application/json' } });
/** An endpoint whose content goes there. */
const receiving = (path: string, target: string, id = 'In', start = true) =>
  endpoint(id, path, { methods: ['POST'], outputs: { parsedContent: target }, start });

const shown = () => respond('Shown', ref('Tags'), { contentType: lit('application/json') });

async function outputOf(definitionId: string): Promise<Record<string, unknown>> {
  const [instance] = await server.instances(definitionId);
  const { state } = (await server.persistence.instances.load(instance!.id))!;
  return state!.output as Record<string, unknown>;
}

const TYPES: [string, string, boolean, string, unknown, string[]][] = [
  ['String', 'String', false, '[ "a" ]', '[ "a" ]', ['text/plain']],
  ['String?', 'String?', false, '[ "a" ]', '[ "a" ]', ['text/plain']],
  ['String[]', 'String', true, '[ "a","b"]', ['a', 'b'], ['application/json']],
  ['Object', 'Object', false, '{ "a":1}', { a: 1 }, ['application/json']],
  ['Int32[]', 'Int32', true, '[ 1,2]', [1, 2], ['application/json']],
];

describe.each(TYPES)(
  'content that a workflow output of type %s receives',
  (_, type, isArray, body, expected, media) => {
    it('has that type, and is described as such', async () => {
      const path = `bound-${++count}`;
      const id = await server.publish([receiving(path, 'Tags')], [], { outputs: [output('Tags', type, isArray)] });
      expect((await server.call('POST', `/workflows/${path}`, json(body))).status).toBeLessThan(300);
      expect(await outputOf(id)).toEqual({ Tags: expected });
      const { paths } = await server.app.get(WorkflowOpenApi).document();
      const { requestBody } = paths[`/workflows/${path}`]!.post as { requestBody: { content: object } };
      expect(Object.keys(requestBody.content)).toEqual(expect.arrayContaining(media));
    });

    it('has it in a workflow used as an activity as well', async () => {
      const [path, name] = [`used-${++count}`, `Child${count}`];
      const result = await server.publisher.saveAndPublish({
        definitionId: name,
        name,
        options: { usableAsActivity: true },
        outputs: [output('Tags', type, isArray)],
        root: act('Elsa.Sequence', 'S', { activities: [receiving(path, 'Tags', 'Inner', false)] }),
      });
      expect(result.problems).toEqual([]);
      const use = act(name, 'Use', {
        workflowDefinitionId: name,
        tags: { typeName: 'Object', memoryReference: { id: 'Tags' } },
      });
      const start = endpoint('In', `start-${path}`);
      await server.publish([start, respond('R', ''), use, shown()], [variable('Tags')]);
      await server.call('GET', `/workflows/start-${path}`);
      const answer = await server.call('POST', `/workflows/${path}`, json(body));
      expect(answer.text).toBe(typeof expected === 'string' ? expected : JSON.stringify(expected));
    });

    it('has it where a variable receives it', async () => {
      const path = `variable-${++count}`;
      const whole = { ...variable('Tags', type), isArray };
      await server.publish([receiving(path, 'Tags'), shown()], [whole]);
      const answer = await server.call('POST', `/workflows/${path}`, json(body));
      expect(answer.text).toBe(typeof expected === 'string' ? expected : JSON.stringify(expected));
    });
  },
);
