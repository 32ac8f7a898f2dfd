import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { ActivityJson } from '@waymark/core';
import { IWorkflowDefinitionPublisher, MemoryPersistence } from '@waymark/runtime';
import { endpoint, type HttpNode, startHttpNode } from '../http/http-node.js';

const SECRET = 'sk-live-c4n4ry-1234567890';
const typed = (typeName: string, type: string, value: string) => ({ typeName, expression: { type, value } });

/** Each makes the trigger refuse its inputs with an error that quotes what it was given. */
const REFUSED: [string, ActivityJson][] = [
  [
    'a secret that is not of the type of its input',
    endpoint('a', { authorize: typed('Boolean', 'Secret', 'billing') }),
  ],
  [
    'a secret in a text that does not convert',
    endpoint('b', { authorize: typed('Boolean', 'JavaScript', `'-' + secret('billing')`) }),
  ],
  [
    'a secret in a path that does not parse',
    endpoint('c', { path: typed('String', 'JavaScript', `'{' + secret('billing')`) }),
  ],
  [
    'a script that throws it',
    endpoint('d', { path: typed('String', 'JavaScript', `throw new Error(secret('billing'))`) }),
  ],
];
/** No masking can find it. */
const TAKEN_APART = endpoint('e', {
  path: typed('String', 'JavaScript', `throw new Error([...secret('billing')].join('-'))`),
});

describe('the problems of triggers that use secrets', () => {
  let node: HttpNode;
  let asked: string[];
  beforeAll(async () => {
    const find = (name: string) => {
      asked.push(name);
      return name === 'billing' ? SECRET : undefined;
    };
    const options = { secrets: [{ find }], allowedSecrets: { 'bill-*': ['*'] }, pollIntervalMs: 3_600_000 };
    node = await startHttpNode(new FastifyAdapter(), new MemoryPersistence(), options);
  });
  beforeEach(() => void (asked = []));
  afterAll(() => node.app.close());

  const publisher = () => node.get(IWorkflowDefinitionPublisher);
  const definition = (root: ActivityJson) => ({ definitionId: 'bill-1', root });

  it.each(REFUSED)(
    'problems of triggers name no part of a secret when the definition is published: %s',
    async (_title, root) => {
      const { problems } = await publisher().saveAndPublish(definition(root));
      expect(problems).not.toEqual([]);
      expect(JSON.stringify(problems)).not.toContain('c4n4ry');
      expect(asked).toContain('billing');
    },
  );

  it.each([...REFUSED, ['a script that takes it apart', TAKEN_APART] as const])(
    'problems of triggers that use secrets are not looked for while nothing is saved, as the user may not be allowed to edit the definition: %s',
    async (_title, root) => {
      const { problems } = await publisher().validate(definition(root));
      expect([problems, asked]).toEqual([[], []]);
    },
  );

  it('problems of triggers still say that the definition may not use the secret, and what is wrong with triggers that use none', async () => {
    const secret = endpoint('a', { path: typed('String', 'Secret', 'billing') });
    const other = await publisher().validate({ definitionId: 'other', root: secret });
    expect(other.problems).toMatchObject([{ code: 'WM2001', message: expect.stringContaining('allowedSecrets') }]);
    const broken = endpoint('b', { path: typed('String', 'JavaScript', `throw new Error('no path')`) });
    const { problems } = await publisher().validate(definition(broken));
    expect(problems).toMatchObject([{ message: expect.stringContaining('no path') }]);
  });
});
