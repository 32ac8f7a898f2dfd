import { type TimeSpanInput } from '@waymark/core';
import { formatTimeSpan } from '@waymark/core/adapter';
import { RejectionOutcome } from '../requests/rejection.js';
import type { BodyRules } from '../requests/upload-rules.js';
import type { EndpointRateLimit } from '../throttling/endpoint-rate-limit.js';
import { type HttpEndpointPayload } from './endpoint-payload.js';
import { pathOfWritten } from './written-path.js';

/** The inputs of an endpoint, evaluated. */
export interface EndpointInputs {
  readonly path: string | null;
  readonly supportedMethods: readonly string[] | null;
  readonly authorize: boolean | null;
  readonly policy: string | null;
  /** Time span text when it was evaluated. */
  readonly requestTimeout: TimeSpanInput | null;
  readonly requestSizeLimit: number | bigint | null;
  readonly fileSizeLimit: number | bigint | null;
  readonly allowedFileExtensions: readonly string[] | null;
  readonly blockedFileExtensions: readonly string[] | null;
  readonly allowedMimeTypes: readonly string[] | null;
  readonly respondAsync?: boolean | null;
  readonly idempotencyKeys?: boolean | null;
  readonly rejectInvalidInputs?: boolean | null;
  readonly exposeRequestTooLargeOutcome?: boolean;
  readonly exposeFileTooLargeOutcome?: boolean;
  readonly exposeInvalidFileExtensionOutcome?: boolean;
  readonly exposeInvalidFileMimeTypeOutcome?: boolean;
}

const spanText = (span: TimeSpanInput | null): string | null =>
  typeof span === 'number' ? formatTimeSpan(span) : span;

/** One payload for each method. @param contentType of whatever receives the parsed content */
export function buildPayloads(
  inputs: EndpointInputs,
  contentType: string | undefined,
  rateLimit: EndpointRateLimit | undefined,
): HttpEndpointPayload[] {
  const methods = new Set(
    (inputs.supportedMethods ?? ['GET']).map((method) => method.trim().toLowerCase()).filter(Boolean),
  );
  const path = pathOfWritten(inputs.path ?? '');
  const authorize = inputs.authorize === true;
  const conditions = withoutNulls({
    policy: inputs.policy || null,
    requestTimeout: spanText(inputs.requestTimeout),
    ...bodyRules(inputs, contentType),
    exposedOutcomes: listOrNull(exposedOutcomes(inputs)),
    respondAsync: inputs.respondAsync,
    idempotencyKeys: inputs.idempotencyKeys,
    // Only where it is set: the stored payloads of all other endpoints stay as they were.
    rejectInvalidInputs: inputs.rejectInvalidInputs || null,
    rateLimit,
  });
  return [...methods].map((method) => ({ path, method, authorize, ...conditions }));
}

export function bodyRules(inputs: EndpointInputs, contentType: string | undefined): BodyRules {
  return withoutNulls({
    requestSizeLimit: numberOrNull(inputs.requestSizeLimit),
    fileSizeLimit: numberOrNull(inputs.fileSizeLimit),
    allowedFileExtensions: listOrNull(inputs.allowedFileExtensions),
    blockedFileExtensions: listOrNull(inputs.blockedFileExtensions),
    allowedMimeTypes: listOrNull(inputs.allowedMimeTypes),
    contentType,
  });
}

/** Outcomes that the workflow handles itself. */
export function exposedOutcomes(inputs: EndpointInputs): string[] {
  const outcomes: string[] = [];
  if (inputs.exposeRequestTooLargeOutcome) outcomes.push(RejectionOutcome.RequestTooLarge);
  if (inputs.exposeFileTooLargeOutcome) outcomes.push(RejectionOutcome.FileTooLarge);
  if (inputs.exposeInvalidFileExtensionOutcome) outcomes.push(RejectionOutcome.InvalidFileExtension);
  if (inputs.exposeInvalidFileMimeTypeOutcome) outcomes.push(RejectionOutcome.InvalidFileMimeType);
  return outcomes;
}

const numberOrNull = (value: number | bigint | null): number | null =>
  value === null || value === undefined ? null : Number(value);
const listOrNull = (list: readonly string[] | null): readonly string[] | null => (list?.length ? list : null);

type Given<T> = { [K in keyof T]?: Exclude<T[K], null | undefined> };

function withoutNulls<T extends object>(members: T): Given<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  ) as Given<T>;
}
