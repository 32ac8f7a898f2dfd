import { apiTexts } from '../texts/api.js';

const DAMAGED = 'WM1054';
/** Of what the server has not answered. */
const NO_STATUS = -1;

export interface ApiErrorDetails {
  /** 0: the server did not answer. */
  readonly status: number;
  /** Of the server: `WM…`. */
  readonly code?: string | undefined;
  /** Sentences of the server. */
  readonly messages?: readonly string[];
  /** Sentences by the member of the request that they are about. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
  /** In the place of what the status says, with nothing to do about it. */
  readonly title?: string;
}

/** A request to the API that failed, in sentences that can be shown. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | undefined;
  /** What happened, in a few words. */
  readonly title: string;
  /** What the server says about it; empty when it says nothing. */
  readonly detail: string;
  /** The same, sentence by sentence: each may be about something else, such as one of several files. */
  readonly sentences: readonly string[];
  /** What to do now. */
  readonly wayOn: string;
  readonly members: Readonly<Record<string, readonly string[]>>;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, code, messages = [], members = {}, retryAfterSeconds, cause, ...own }: ApiErrorDetails) {
    const known = code === undefined ? undefined : apiTexts.codes[code];
    const { title, wayOn } =
      (own.title === undefined ? undefined : { title: own.title, wayOn: '' }) ??
      known ??
      apiTexts.statuses[status] ??
      (status >= 500 ? apiTexts.serverError : apiTexts.refused);
    const detail = messages.join(' ');
    super([title, detail].filter(Boolean).join(' '), { cause });
    this.status = status;
    this.code = code;
    this.title = title;
    this.detail = detail;
    this.sentences = messages;
    this.wayOn = retryAfterSeconds === undefined ? wayOn : apiTexts.retryAfter(retryAfterSeconds);
    this.members = members;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The server was not reached, or had trouble of its own: what was asked for may be as it was. */
  get isOutage(): boolean {
    if (this.code === DAMAGED) return false;
    return this.status === 0 || this.status === 429 || (this.status >= 500 && this.status !== 501);
  }

  /** Nothing was changed, and the same request may work in a moment. */
  get isPassing(): boolean {
    return this.status === 0 || (this.status === 503 && this.retryAfterSeconds !== undefined);
  }
}

/** Something that was not done, or not for all, in a sentence of the page's own: neither the server nor the page has failed. */
export class NotDone extends ApiError {
  /** @param reasons as often as they were given */
  constructor(title: string, reasons: readonly string[] = []) {
    super({ status: NO_STATUS, title, messages: [...new Set(reasons)] });
  }
}

/** Whatever was thrown, as something that can be shown. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError({ status: NO_STATUS, messages: [message], cause: error });
}

const NO_DEFINITION = 'WM1020';

/** For an id that no definition has. */
export const noDefinition = (definitionId: string): ApiError =>
  new ApiError({ status: 404, code: NO_DEFINITION, messages: [apiTexts.noDefinition(definitionId)] });

/** If true, the API says that it has no such definition. A proxy answers 404 as well, such as while the server is deployed. */
export const isNoDefinition = (error: unknown): boolean => toApiError(error).code === NO_DEFINITION;

/** If true, what was asked for is stored, but cannot be read: to ask again does not help. */
export const isDamaged = (error: unknown): boolean => toApiError(error).code === DAMAGED;

/** If true, another person has changed what was to be changed as it was read. */
export const isOvertaken = (error: unknown): boolean => toApiError(error).status === 412;
