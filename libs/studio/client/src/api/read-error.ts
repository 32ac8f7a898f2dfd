import { ApiError } from './api-error.js';

interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

/** Members under which the API says what is about no member. */
const GENERAL = new Set(['generalErrors', 'serializerErrors']);

/** The error that an answer tells of, whatever of it the API filled in. */
export async function readError(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const body = await readBody(response);
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  const errors = Object.entries(body.errors ?? {});
  const members = Object.fromEntries(errors.filter(([member]) => !GENERAL.has(member)));
  const sentences = errors.flatMap(([, messages]) => messages);
  const messages = sentences.length > 0 ? sentences : body.message === undefined ? [] : [body.message];
  return new ApiError({ status, code: body.code, messages, members, retryAfterSeconds });
}

async function readBody(response: Response): Promise<ErrorBody> {
  const text = await response.text().catch(() => '');
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : {};
  } catch {
    // An answer of something between: a proxy's page says nothing that helps.
    return {};
  }
}
