import { afterEach, describe, expect, it } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { MemoryPersistence } from '@waymark/runtime';
import { endpoint, flag, type HttpNode, respond, startHttpNode } from './http-node.js';

/** What Elsa's own records of the two activities have, and no more: clients of Elsa know these names. */
const OF_ELSA = {
  'Elsa.HttpEndpoint': [
    'Path',
    'SupportedMethods',
    'Authorize',
    'Policy',
    'RequestTimeout',
    'RequestSizeLimit',
    'FileSizeLimit',
    'AllowedFileExtensions',
    'BlockedFileExtensions',
    'AllowedMimeTypes',
  ],
  'Elsa.WriteHttpResponse': ['StatusCode', 'Content', 'ContentType', 'ResponseHeaders'],
};

describe('inputs in the journal of a request', () => {
  let node: HttpNode | undefined;
  afterEach(() => node?.app.close());

  const inputsOf = async (more: object): Promise<Record<string, Record<string, unknown>>> => {
    const persistence = new MemoryPersistence();
    node = await startHttpNode(new FastifyAdapter(), persistence);
    await node.publish('journal', [endpoint('journal', more), respond('done')]);
    expect(await node.call('GET', 'journal')).toMatchObject({ status: 200 });
    const [id] = await persistence.instances.findIds({});
    const records = await persistence.journal.readRecords(id!);
    return Object.fromEntries(records.map(({ activityType, activityState }) => [activityType, activityState ?? {}]));
  };

  it("inputs in the journal of a request are Elsa's where a definition sets no other", async () => {
    const inputs = await inputsOf({});
    for (const [type, names] of Object.entries(OF_ELSA)) expect(Object.keys(inputs[type]!)).toEqual(names);
  });

  it('inputs in the journal of a request have those beyond them that a definition sets', async () => {
    const inputs = await inputsOf({ rejectInvalidInputs: flag(false) });
    expect(inputs['Elsa.HttpEndpoint']).toMatchObject({ RejectInvalidInputs: false });
    expect(inputs['Elsa.HttpEndpoint']).not.toHaveProperty('RespondAsync');
  });
});
