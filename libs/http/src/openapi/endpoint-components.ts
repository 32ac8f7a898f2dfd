import type { OpenApiOperation, OpenApiSchema } from '@waymark/runtime';

const text: OpenApiSchema = { type: 'string' };
const date: OpenApiSchema = { type: 'string', format: 'date-time' };

export const ENDPOINT_SCHEMAS: Readonly<Record<string, OpenApiSchema>> = {
  WorkflowEndpointError: {
    type: 'object',
    description: 'Why a request was refused.',
    properties: { code: text, message: text },
  },
  WorkflowRequestAccepted: {
    type: 'object',
    properties: { workflowInstanceId: text, status: text, location: text },
    required: ['workflowInstanceId', 'status', 'location'],
  },
  WorkflowRequestStatus: {
    type: 'object',
    description: 'The status of a request that was answered 202.',
    properties: {
      workflowInstanceId: text,
      status: { type: 'string', enum: ['Running', 'Finished'] },
      subStatus: text,
      createdAt: date,
      updatedAt: date,
      finishedAt: date,
      answer: { type: 'string', description: 'URL of the answer, once there is one.' },
      output: { type: 'object', additionalProperties: true },
    },
    required: ['workflowInstanceId', 'status', 'subStatus', 'createdAt', 'updatedAt'],
  },
};

export const STATUS_TAG = 'Requests that were answered 202';

const token = {
  name: 'token',
  in: 'path',
  required: true,
  description: 'As given in the `location` of the 202.',
  schema: text,
} as const;
const gone = {
  description: 'The request does not exist, or no longer exists.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/WorkflowEndpointError' } } },
};

/** Paths of the status of requests, below the base path. */
export const STATUS_OPERATIONS: Readonly<Record<string, OpenApiOperation>> = {
  '/~requests/{token}': {
    operationId: 'getRequestStatus',
    summary: 'The status of a request',
    tags: [STATUS_TAG],
    parameters: [token],
    responses: {
      200: {
        description: 'Where it stands.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/WorkflowRequestStatus' } } },
      },
      404: gone,
    },
  },
  '/~requests/{token}/answer': {
    operationId: 'getRequestAnswer',
    summary: 'The answer to a request',
    tags: [STATUS_TAG],
    parameters: [token],
    responses: {
      202: {
        description: 'There is no answer yet.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/WorkflowRequestAccepted' } } },
      },
      404: gone,
      default: { description: 'What the workflow has written.' },
    },
  },
};
