import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ActivityJson } from '@waymark/core';
import { IWorkflowDefinitionPublisher, IWorkflowRuntime } from '@waymark/nestjs';
import { type TestBackend, testBackends } from '../support/backends.js';
import { World } from './world.js';

// Not to be found as a whole: only its parts are quoted.
const SECRET = 'hunter2-c4n4ry-of-a-host-that-is-longer-than-forty-characters';
const partsIn = (text: string): string[] => text.match(/hunter|c4n4ry|forty/gi) ?? [];

const script = (value: string) => ({ typeName: 'Object', expression: { type: 'JavaScript', value } });
const literal = (value: unknown) => ({ typeName: 'String', expression: { type: 'Literal', value } });
const line = (text: object): ActivityJson => ({ type: 'Elsa.WriteLine', id: 'Line', text });
const caught = (body: ActivityJson): ActivityJson => ({
  type: 'Elsa.Sequence',
  id: 'Root',
  activities: [
    {
      type: 'Waymark.Try',
      id: 'Try',
      body,
      catches: [{ errors: [], activity: { type: 'Elsa.WriteLine', id: 'Caught', text: literal('caught') } }],
    },
    { type: 'Elsa.Event', id: 'Wait', eventName: literal('never') },
  ],
});

const { available } = await testBackends('sqlite');

describe.each(available)('errors that quote a part of a secret, on $name', (backend: TestBackend) => {
  let world: World;
  beforeAll(async () => {
    world = await World.start(
      backend,
      { secrets: [{ find: (name: string) => (name === 'key' ? SECRET : undefined) }] },
      [],
    );
  });
  afterAll(async () => {
    await world.close();
    await backend.drop();
  });

  it.each([
    ['parsed', `JSON.parse(secret('key'))`],
    ['parsed-inside', `JSON.parse('{"a": ' + secret('key'))`],
    ['evaluated', `eval(secret('key').slice(0, 7))`],
    ['cut', `throw new Error(secret('key').slice(8, 20))`],
    ['in-small-letters', `throw new Error(secret('key').toUpperCase())`],
  ])(
    'errors that quote a part of a secret are neither stored nor logged nor answered with it: %s',
    async (id, text) => {
      for (const [root, incidents] of [
        [line(script(text)), 1],
        [caught(line(script(text))), 0],
      ] as const) {
        const { problems } = await world.app
          .get(IWorkflowDefinitionPublisher)
          .saveAndPublish({ definitionId: id, root });
        expect(problems).toEqual([]);
        const client = await world.app.get(IWorkflowRuntime).createClient();
        const result = await client.createAndRunInstance({ definition: id });
        expect(result.state!.incidents).toHaveLength(incidents);
        expect(partsIn(JSON.stringify([result, result.state]))).toEqual([]);
        await world.settled();
      }
      expect({
        stored: partsIn(await world.stored()),
        log: partsIn(world.logger.lines.join('\n')),
        answers: partsIn(await world.apiAnswers()),
      }).toEqual({ stored: [], log: [], answers: [] });
    },
  );
});
