import type { WorkflowExecutionContext } from '@waymark/core';
import type { EncryptedValue } from '@waymark/core/adapter';
import type { HeaderValue, PreparedResponse } from '../responses/http-response-writer.js';
import type { NotKeptReason } from './pending-errors.js';

/** Property of an instance under which it keeps what became of requests that were not answered by their own burst. */
export const KEPT_REQUESTS = 'Waymark.HttpRequests';

/** Of an instance that waits for one request after the other, the older ones are forgotten: a state does not grow with them. */
const MAX_KEPT = 10;

/** An answer as instances keep it: plain data. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: HeaderValue])[];
  readonly text?: string;
  readonly base64?: string;
}

/** What is known of an answer that is not kept. */
export interface LostAnswer {
  readonly reason: NotKeptReason;
  readonly status: number;
  /** Where it said that to find what was made. */
  readonly location?: string;
}

/** One request, by the hash of its token. */
export interface KeptRequest {
  readonly token: string;
  /** If true, it is answered 202, and a later burst may answer it. */
  readonly isAwaited?: boolean;
  readonly answer?: StoredAnswer;
  /** If true, it was answered, and the answer cannot be kept. */
  readonly isLost?: boolean;
  readonly lost?: LostAnswer;
  /** The answer of one that may come again, encrypted: it holds a credential. */
  readonly sealed?: EncryptedValue;
  /** If true, the endpoint has had the request that started the instance. Until then its node may have died with it. */
  readonly isTaken?: boolean;
  /** Of the request that started the instance, with an `Idempotency-Key`: by what it is known again. */
  readonly start?: {
    readonly fingerprint: string;
    /** Of a form with files, which comes with another boundary each time. */
    readonly formFingerprint?: string;
    readonly salt: string;
    /** Of a caller who has no known id: by its credentials, hashed. Of a node of the version before it is missing. */
    readonly caller?: string;
    /**
     * The id of its user, hashed likewise, also beside credentials and names; of a caller with a known id, who has issued it. Nodes of the
     * version before neither write nor read it.
     */
    readonly user?: string;
  };
}

type Properties = Readonly<Record<string, unknown>>;

/** The requests that an instance keeps, oldest first. @param properties of its state */
export function keptRequests(properties: Properties | undefined): readonly KeptRequest[] {
  const kept = properties?.[KEPT_REQUESTS];
  return Array.isArray(kept) ? (kept as KeptRequest[]) : [];
}

/** @param token hash of the token */
export const keptRequest = (properties: Properties | undefined, token: string): KeptRequest | undefined =>
  keptRequests(properties).find((request) => request.token === token);

/** Whether it was answered, also where the answer is encrypted or is not kept. */
export const isAnswered = ({ answer, sealed, isLost }: KeptRequest): boolean =>
  answer !== undefined || sealed !== undefined || isLost === true;

/** Adds a request, or replaces what was kept of it. The one that started the instance stays for as long as it does. */
export function keepRequest({ properties }: Pick<WorkflowExecutionContext, 'properties'>, request: KeptRequest): void {
  const others = keptRequests(properties).filter(({ token }) => token !== request.token);
  const all = [...others, request];
  const last = all.slice(-MAX_KEPT);
  properties[KEPT_REQUESTS] = [...all.filter((one) => one.start && !last.includes(one)), ...last];
}

/** A request that was answered as it came needs no trace. */
export function forgetRequest({ properties }: Pick<WorkflowExecutionContext, 'properties'>, forgotten: string): void {
  const others = keptRequests(properties).filter(({ token }) => token !== forgotten);
  if (others.length > 0) properties[KEPT_REQUESTS] = others;
  else delete properties[KEPT_REQUESTS];
}

/** Gives an answer to those requests, or the note that it is not kept. @param tokens hashes */
export function answerRequests(
  { properties }: Pick<WorkflowExecutionContext, 'properties'>,
  tokens: readonly string[],
  given: Pick<KeptRequest, 'answer' | 'isLost' | 'lost'>,
): void {
  properties[KEPT_REQUESTS] = keptRequests(properties).map((request) => {
    if (!tokens.includes(request.token)) return request;
    // What was kept of an earlier part is void.
    const { answer: _earlier, ...rest } = request;
    return { ...rest, ...given };
  });
}

/** An answer ready to be sent again. */
export function preparedAnswer({ status, headers, text, base64 }: StoredAnswer): PreparedResponse {
  const body = text ?? (base64 === undefined ? undefined : Buffer.from(base64, 'base64'));
  return { status, headers, body };
}
