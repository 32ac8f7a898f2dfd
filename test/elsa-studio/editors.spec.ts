import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { WorkflowApiModule } from '@waymark/api';
import { startWhole, type WholeApplication } from '../e2e/whole-application.js';

/** The editors that Elsa Studio 3.8 has. For any other hint it shows "Unsupported UI hint" in the place of the input. */
const HINTS = [
  ...['singleline', 'multiline', 'checkbox', 'checklist', 'radiolist', 'dropdown', 'multitext', 'dynamic-outcomes'],
  ...['code-editor', 'json-editor', 'expression-editor', 'datetime-picker', 'dictionary', 'http-status-codes'],
  ...['switch-editor', 'flow-switch-editor', 'type-picker', 'workflow-definition-picker'],
  ...['variable-picker', 'input-picker', 'output-picker', 'outcome-picker'],
];

/** Structures of which Elsa knows nothing; Waymark Studio edits them. */
const OWN = ['Waymark.Try.Catches'];

interface Descriptor {
  typeName: string;
  inputs: { name: string; uiHint: string; isBrowsable: boolean }[];
}

describe('editors of inputs', () => {
  let server: WholeApplication;
  beforeAll(async () => {
    server = await startWhole(new FastifyAdapter(), { also: [WorkflowApiModule.forRoot({ allowAnonymous: true })] });
  });
  afterAll(() => server.close());

  it('editors of inputs are those that Elsa Studio has', async () => {
    const { json } = await server.call('GET', '/elsa/api/descriptors/activities');
    const { items } = json as { items: Descriptor[] };
    const unsupported = items.flatMap(({ typeName, inputs }) =>
      inputs
        .filter(({ uiHint, isBrowsable }) => isBrowsable !== false && !HINTS.includes(uiHint))
        .map(({ name }) => `${typeName}.${name}`),
    );
    expect(items.map(({ typeName }) => typeName)).toContain('Waymark.UserTask');
    expect(unsupported).toEqual(OWN);
  });
});
