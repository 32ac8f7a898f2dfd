import { expect, it } from '@jest/globals';
import { IEventPublisher, IWorkflowDefinitionPublisher } from '@waymark/nestjs';
import { testBackends } from '../support/backends.js';
import { canary } from './canaries.js';
import { canariesIn, World } from './world.js';

const script = (value: string) => ({ typeName: 'String', expression: { type: 'JavaScript', value } });
const variable = {
  id: 'query',
  name: 'query',
  typeName: 'Object',
  isArray: false,
  storageDriverTypeName: 'WorkflowInstanceStorageDriver',
};
const root = {
  type: 'Elsa.Sequence',
  id: 'Root',
  activities: [
    {
      type: 'Elsa.HttpEndpoint',
      id: 'In',
      path: { typeName: 'String', expression: { type: 'Literal', value: 'confirm' } },
      customProperties: { canStartWorkflow: true },
      queryStringData: { typeName: 'Object', memoryReference: { id: 'query' } },
    },
    { type: 'Elsa.Event', id: 'Wait', eventName: { typeName: 'String', expression: { type: 'Literal', value: 'go' } } },
    {
      type: 'Elsa.WriteLine',
      id: 'Line',
      text: script(
        `const { confirmationToken: c, access_token: a } = getVariable("query"); "It is " + [c.length, a.length]`,
      ),
    },
  ],
};

it('a parameter that only ends like a credential is there after a suspension, and nothing shows it', async () => {
  const { available } = await testBackends('memory');
  const world = await World.start(available[0]!);
  try {
    const { problems } = await world.app
      .get(IWorkflowDefinitionPublisher)
      .saveAndPublish({ definitionId: 'confirm', name: 'confirm', root, variables: [variable] });
    expect(problems).toEqual([]);
    const query = `confirmationToken=${canary('invite')}&access_token=${canary('access')}`;
    await fetch(`${await world.app.getUrl()}/workflows/confirm?${query}`);
    await world.settled();
    const stored = await world.stored();
    expect([stored.includes(canary('invite')), stored.includes(canary('access'))]).toEqual([true, false]);
    await world.app.get(IEventPublisher).publish('go');
    await world.settled();
    const answers = await world.apiAnswers();
    expect(answers.includes(`It is ${canary('invite').length},${'(redacted)'.length}`)).toBe(true);
    expect(canariesIn(answers)).toEqual([]);
  } finally {
    await world.close();
    await available[0]!.drop();
  }
});
