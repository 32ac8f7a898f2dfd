import type { ValueType, WorkflowGraph } from '@waymark/core';
import type { OpenApiOperation, OpenApiParameter, OpenApiResponse, StoredTrigger } from '@waymark/runtime';

import { asksForUser, type HttpEndpointPayload } from '../endpoint/endpoint-payload.js';
import type { DescribedPath } from './describe-path.js';
import { bodyContent } from './value-schema.js';
import { writtenAnswers } from './written-answers.js';

/** All that is known of an endpoint that starts workflows. */
export interface EndpointFacts {
  readonly trigger: StoredTrigger;
  readonly payload: HttpEndpointPayload;
  readonly definition: { readonly name?: string; readonly description?: string; readonly version?: number };
  /** Undefined where this node cannot compile it. */
  readonly graph: WorkflowGraph | undefined;
  /** Of what receives the body. */
  readonly bodyType: ValueType | undefined;
  readonly isKept: boolean;
  readonly hasKeys: boolean;
  /** If true, a signature lets requests in, in place of a user. */
  readonly isSigned: boolean;
}

export const ENDPOINT_SECURITY = 'workflowEndpoint';
const ERROR = { 'application/json': { schema: { $ref: '#/components/schemas/WorkflowEndpointError' } } };
const ACCEPTED = { 'application/json': { schema: { $ref: '#/components/schemas/WorkflowRequestAccepted' } } };
const WITHOUT_BODY = new Set(['get', 'head', 'delete', 'options', 'trace']);

/** Name of the workflow, under which its endpoints stand together. */
export const tagOf = ({ trigger, definition }: EndpointFacts): string =>
  definition.name ?? trigger.workflowDefinitionId;

/** The operation of an endpoint. @param id unique in the document */
export function describeEndpoint(facts: EndpointFacts, { parameters }: DescribedPath, id: string): OpenApiOperation {
  const { trigger, payload, definition, graph, isSigned } = facts;
  const all = [...parameters, ...headersOf(facts)];
  const node = graph?.findTrigger(trigger.activityId);
  const hasFiles = node?.outputs.has('File') === true || node?.outputs.has('Files') === true;
  const notes = notesOf(facts, typeof node?.metadata.description === 'string' ? node.metadata.description : undefined);
  return {
    operationId: id,
    summary: tagOf(facts),
    ...(notes.length > 0 && { description: notes.join('\n\n') }),
    tags: [tagOf(facts)],
    ...(all.length > 0 && { parameters: all }),
    ...(!WITHOUT_BODY.has(payload.method) && {
      requestBody: { content: bodyContent(facts.bodyType, hasFiles || hasFileRules(payload)) },
    }),
    responses: responsesOf(facts),
    ...(asksForUser(payload) && !isSigned && { security: [{ [ENDPOINT_SECURITY]: [] }] }),
    'x-waymark-workflow': {
      definitionId: trigger.workflowDefinitionId,
      version: definition.version,
      activityId: trigger.activityId,
    },
  };
}

const hasFileRules = (payload: HttpEndpointPayload): boolean =>
  (payload.allowedFileExtensions ??
    payload.blockedFileExtensions ??
    payload.allowedMimeTypes ??
    payload.fileSizeLimit) !== undefined;

function notesOf({ definition, payload, isSigned }: EndpointFacts, ofActivity: string | undefined): string[] {
  const { policy, requestSizeLimit, fileSizeLimit, allowedFileExtensions, blockedFileExtensions, allowedMimeTypes } =
    payload;
  const list = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(', ');
  return [
    definition.description,
    ofActivity,
    isSigned ? `Requests must be signed according to the policy \`${policy}\`.` : undefined,
    policy !== undefined && !isSigned ? `The user must satisfy the policy \`${policy}\`.` : undefined,
    requestSizeLimit === undefined ? undefined : `Requests of up to ${requestSizeLimit} bytes.`,
    fileSizeLimit === undefined ? undefined : `Files of up to ${fileSizeLimit} bytes.`,
    allowedFileExtensions && `Files that end with ${list(allowedFileExtensions)} only.`,
    blockedFileExtensions && `No files that end with ${list(blockedFileExtensions)}.`,
    allowedMimeTypes && `Files of the types ${list(allowedMimeTypes)} only.`,
  ].filter((note) => note !== undefined && note !== '') as string[];
}

function headersOf({ isKept, hasKeys }: EndpointFacts): OpenApiParameter[] {
  const header = (name: string, description: string): OpenApiParameter => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  });
  return [
    ...(hasKeys
      ? [header('Idempotency-Key', 'Requests with the same key start one instance, and get the same answer.')]
      : []),
    ...(isKept ? [header('Prefer', '`wait=N` waits N seconds for the answer, where the workflow has none yet.')] : []),
  ];
}

const badRequest = ({ rejectInvalidInputs }: HttpEndpointPayload): string =>
  rejectInvalidInputs ? 'The request cannot be read, or a value of it is not valid.' : 'The request cannot be read.';

function responsesOf({ payload, graph, isKept, isSigned, hasKeys }: EndpointFacts): OpenApiOperation['responses'] {
  const refused = (description: string): OpenApiResponse => ({ description, content: ERROR });
  const hasBody = !WITHOUT_BODY.has(payload.method);
  const { byStatus, hasOthers } = graph ? writtenAnswers(graph) : { byStatus: {}, hasOthers: true };
  const isSilent = Object.keys(byStatus).length === 0 && !hasOthers;
  return {
    ...(isSilent && { 200: { description: 'The workflow ran without writing an answer.' } }),
    ...(isKept && {
      202: {
        description: 'The workflow waits and has not answered yet. Its status is at `location`.',
        headers: { Location: { schema: { type: 'string' } } },
        content: ACCEPTED,
      },
    }),
    ...((hasBody || hasKeys || payload.rejectInvalidInputs) && { 400: refused(badRequest(payload)) }),
    ...((asksForUser(payload) || isSigned) && { 401: { description: 'The request is not authorised.' } }),
    ...(payload.requestTimeout !== undefined && { 408: refused('The workflow took too long, and was cancelled.') }),
    409: refused('Another request or instance came first, or the workflow cannot start now.'),
    ...(hasBody && { 413: refused('The request, or a file in it, is too large.') }),
    ...(hasBody && { 415: refused('A file is of a type that is not accepted, or the body is compressed.') }),
    ...(hasKeys && { 422: refused('The key was used with another request.') }),
    503: {
      ...refused('The server cannot take the request now.'),
      headers: { 'Retry-After': { schema: { type: 'string' } } },
    },
    ...byStatus,
    default: refused(
      hasOthers
        ? 'What the workflow writes, or an error with a code.'
        : 'An error with a code; 500: the workflow failed.',
    ),
  };
}
