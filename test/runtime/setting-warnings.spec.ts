import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { WorkflowModule } from '@waymark/nestjs';
import { IWorkflowDefinitionPublisher } from '@waymark/runtime';
import { literal, sequence } from '../support/runtime-node.js';

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await NestFactory.create<NestFastifyApplication>(
    WorkflowModule.forRoot({ writeLine: () => undefined }),
    new FastifyAdapter(),
    { logger: false },
  );
  await app.init();
});
afterAll(() => app.close());

/** Paths and messages of warnings about settings, of an activity W with these custom properties. */
async function warned(
  customProperties: object,
  type = 'Elsa.WriteLine',
  members: object = { text: literal('x') },
): Promise<[string, string][]> {
  const root = sequence('Root', { type, id: 'W', ...members, customProperties: customProperties as never });
  const { warnings } = await app.get(IWorkflowDefinitionPublisher).validate({ definitionId: 'settings', root });
  return warnings.map(({ code, path, message }) => {
    expect(code).toBe('WM4096');
    return [path!.replace('root.activities[0].customProperties.', ''), message];
  });
}

describe('what records are to keep', () => {
  const strategy = (name: string) => ({ evaluationMode: 'Strategy', strategyType: name });
  const expression = { evaluationMode: 'Expression', expression: { type: 'JavaScript', value: '"Exclude"' } };
  const config = (members: object) => ({ logPersistenceConfig: members });

  it.each<[string, object, string, string]>([
    ['a mistyped mode', { logPersistenceMode: 'Exlude' }, 'logPersistenceMode', 'Exlude'],
    ['a mistyped mode of all', { logPersistenceMode: { default: 'Exlude' } }, 'logPersistenceMode.default', 'Exlude'],
    [
      'a strategy of another application',
      config({ default: strategy('Acme.MaskStrategy, Acme') }),
      'logPersistenceConfig.default',
      'Acme.MaskStrategy, Acme',
    ],
    [
      'a mistyped mode of an input',
      config({ inputs: { text: strategy('Hide') } }),
      'logPersistenceConfig.inputs.text',
      'Hide',
    ],
    ['a mistyped mode of the internal state', { internalState: strategy('None') }, 'internalState', 'None'],
  ])('is warned of for %s', async (_, custom, path, name) => {
    expect(await warned(custom)).toEqual([
      [
        path,
        `'${path}' of activity 'W' (Elsa.WriteLine) names '${name}', which is none of Inherit, Include, Exclude or Configuration, so the values are kept. Use one of them.`,
      ],
    ]);
  });

  it('is warned of for the workflow as well', async () => {
    const customProperties = { logPersistenceMode: 'Exlude' };
    const publisher = app.get(IWorkflowDefinitionPublisher);
    const { warnings } = await publisher.validate({ definitionId: 'x', root: sequence('Root'), customProperties });
    expect(warnings).toMatchObject([{ code: 'WM4096', path: 'customProperties.logPersistenceMode' }]);
  });

  it.each(['Text', 'txet'])('is warned of for an input that is called %s', async (name) => {
    const path = `logPersistenceConfig.inputs.${name}`;
    expect(await warned(config({ inputs: { [name]: strategy('Exclude') } }))).toEqual([
      [
        path,
        `'${path}' of activity 'W' (Elsa.WriteLine) is not read, because there is no '${name}' among the inputs. Did you mean 'text'?`,
      ],
    ]);
  });

  it.each<[string, object]>([
    ['modes in any casing', { logPersistenceMode: { default: 'exclude', inputs: { text: 'Include' } } }],
    [
      'class names of Elsa',
      config({ default: strategy('Elsa.Workflows.LogPersistence.Strategies.Configuration, Elsa') }),
    ],
    ['expressions', config({ default: expression, inputs: { text: expression } })],
    ['nothing', { logPersistenceMode: null, ...config({ default: null, inputs: { text: strategy('') } }) }],
    ['an input that the type no longer has', config({ inputs: { somethingElse: strategy('Exclude') } })],
  ])('is not warned of for %s', async (_, custom) => {
    expect(await warned(custom)).toEqual([]);
  });
});
