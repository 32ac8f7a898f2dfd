import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OwnHost } from './own-host.js';

const HOST_TEST_MS = 120_000;

const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
const answer = (id: string, content: string, x: number) => ({
  content: literal('System.Object, System.Private.CoreLib', content),
  contentType: literal('String', 'text/plain'),
  statusCode: literal('System.Net.HttpStatusCode, System.Net.Primitives', 'OK'),
  responseHeaders: null,
  id,
  nodeId: `Workflow1:Flowchart1:${id}`,
  name: id,
  type: 'Elsa.WriteHttpResponse',
  version: 1,
  customProperties: { canStartWorkflow: false, runAsynchronously: false },
  metadata: { designer: { position: { x, y: 0 }, size: { width: 180, height: 60 } }, displayText: null },
});

/** What Elsa 3 writes when such a workflow is exported: every member, with its designer's notes and empty ones. */
const EXPORT = {
  $schema: 'https://elsaworkflows.io/schemas/workflow-definition/v3.0.0/schema.json',
  id: '8d0e2a5b7c9f4e61',
  definitionId: 'a41b8c2d3e4f5061',
  name: 'Order size',
  description: null,
  createdAt: '2026-01-12T09:30:00.1234567+00:00',
  version: 1,
  toolVersion: '3.5.0.0',
  variables: [
    {
      id: 'query',
      name: 'Query',
      typeName: 'ObjectDictionary',
      isArray: false,
      value: null,
      storageDriverTypeName: 'Elsa.Workflows.WorkflowInstanceStorageDriver, Elsa.Workflows.Core',
    },
  ],
  inputs: [],
  outputs: [],
  outcomes: [],
  customProperties: {},
  isReadonly: false,
  isSystem: false,
  isLatest: true,
  isPublished: false,
  options: { autoUpdateConsumingWorkflows: false },
  root: {
    type: 'Elsa.Flowchart',
    version: 1,
    id: 'Flowchart1',
    nodeId: 'Workflow1:Flowchart1',
    metadata: {},
    customProperties: { source: 'FlowchartJsonConverter.cs:45', notFoundConnections: [], canStartWorkflow: false },
    variables: [],
    activities: [
      {
        path: literal('String', 'order-size'),
        supportedMethods: {
          typeName: 'String[]',
          expression: { type: 'Object', value: '["GET"]' },
        },
        authorize: literal('Boolean', false),
        queryStringData: { typeName: 'ObjectDictionary', memoryReference: { id: 'query' } },
        id: 'HttpEndpoint1',
        nodeId: 'Workflow1:Flowchart1:HttpEndpoint1',
        name: 'HttpEndpoint1',
        type: 'Elsa.HttpEndpoint',
        version: 1,
        customProperties: { canStartWorkflow: true, runAsynchronously: false },
        metadata: { designer: { position: { x: -400, y: 0 }, size: { width: 150, height: 60 } } },
      },
      {
        condition: {
          typeName: 'Boolean',
          expression: { type: 'JavaScript', value: 'return Number(variables.Query.items) > 10;' },
        },
        id: 'FlowDecision1',
        nodeId: 'Workflow1:Flowchart1:FlowDecision1',
        name: 'FlowDecision1',
        type: 'Elsa.FlowDecision',
        version: 1,
        customProperties: { canStartWorkflow: false, runAsynchronously: false },
        metadata: { designer: { position: { x: -150, y: 0 }, size: { width: 150, height: 60 } } },
      },
      answer('Large', 'large', 100),
      answer('Small', 'small', 200),
    ],
    connections: [
      {
        source: { activity: 'HttpEndpoint1', port: 'Done' },
        target: { activity: 'FlowDecision1', port: 'In' },
        vertices: [],
      },
      { source: { activity: 'FlowDecision1', port: 'True' }, target: { activity: 'Large', port: 'In' }, vertices: [] },
      { source: { activity: 'FlowDecision1', port: 'False' }, target: { activity: 'Small', port: 'In' }, vertices: [] },
    ],
  },
};

describe('an export of Elsa 3', () => {
  const host = new OwnHost();
  beforeAll(() => host.start(), HOST_TEST_MS);
  afterAll(() => host.remove());

  it('is imported over REST, published, and answers below /workflows', async () => {
    const api = '/elsa/api/workflow-definitions';
    expect((await host.call('POST', `${api}/import`, EXPORT)).status).toBe(200);
    expect((await host.call('GET', '/workflows/order-size?items=1')).status).toBe(404);
    const published = await host.call('POST', `${api}/${EXPORT.definitionId}/publish`, {});
    expect(published.status).toBe(200);
    const [large, small] = [
      await host.call('GET', '/workflows/order-size?items=42'),
      await host.call('GET', '/workflows/order-size?items=3'),
    ];
    expect([large.text, small.text]).toEqual(['large', 'small']);
    expect((await host.call('POST', '/workflows/order-size')).status).toBe(404);
  });
});
