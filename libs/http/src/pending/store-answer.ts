import type { WorkflowExecutionContext } from '@waymark/core';
import { Readable } from 'node:stream';
import type { PreparedResponse, ResponseBody } from '../responses/http-response-writer.js';
import type { StoredAnswer } from './kept-requests.js';
import { AnswerNotKeptError } from './pending-errors.js';

type Secretive = Pick<WorkflowExecutionContext, 'secrets'>;

/**
 * An answer as it is kept in the state of an instance. Headers with credentials are left out, since a state has none.
 * @throws AnswerNotKeptError it is larger than `maxBytes`, a stream, or holds a secret of the host or an encrypted value
 */
export function storableAnswer(prepared: PreparedResponse, workflow: Secretive, maxBytes: number): StoredAnswer {
  const answer = wholeAnswer(prepared, workflow, maxBytes);
  requireNoSecret(prepared.body, workflow);
  return answer;
}

/**
 * Looks at one part of an answer, as far as that is possible without the others.
 * @param before bytes of the parts before
 * @returns bytes with this part
 * @throws AnswerNotKeptError as `storableAnswer`
 */
export function requireStorable(
  body: ResponseBody | undefined,
  before: number,
  workflow: Secretive,
  maxBytes: number,
): number {
  const size = before + sizeOf(body);
  if (size > maxBytes) throw tooLarge(size, maxBytes);
  requireNoSecret(body, workflow);
  return size;
}

function requireNoSecret(body: ResponseBody | undefined, workflow: Secretive): void {
  if (!hasSecret({ body }, workflow)) return;
  throw new AnswerNotKeptError(
    'credential',
    'The answer contains a secret or an encrypted value, which is not stored. Answer without it, before the workflow waits.',
  );
}

/** @throws AnswerNotKeptError of a stream */
function wholeOf(body: ResponseBody | undefined): Exclude<ResponseBody, Readable> | undefined {
  if (body instanceof Readable)
    throw new AnswerNotKeptError(
      'stream',
      'The answer is a stream, which cannot be kept. Write text, bytes or a file instead.',
    );
  return body;
}

/** In bytes. @throws AnswerNotKeptError of a stream */
export function sizeOf(body: ResponseBody | undefined): number {
  const whole = wholeOf(body);
  return whole === undefined ? 0 : Buffer.byteLength(whole);
}

const tooLarge = (size: number, maxBytes: number): AnswerNotKeptError =>
  new AnswerNotKeptError(
    'size',
    `The answer has ${size} bytes, and at most ${maxBytes} are kept for a client. ` +
      "Write a shorter one, or raise the option 'http.maxKeptAnswerBytes'.",
  );

/**
 * The answer to a request that may come again, secrets of its content included.
 * @throws AnswerNotKeptError it is larger than `maxBytes`, a stream, or says that it is not to be stored
 */
export function repeatableAnswer(prepared: PreparedResponse, workflow: Secretive, maxBytes: number): StoredAnswer {
  if (prepared.headers.some(forbidsStoring))
    throw new AnswerNotKeptError('no-store', 'The answer has Cache-Control: no-store, so it is not kept.');
  return wholeAnswer(prepared, workflow, maxBytes);
}

/**
 * Whether it may only be stored encrypted: beside what no state has, a credential by its place in the content. The client has had
 * it, and does not depend on it.
 */
export function holdsCredential(prepared: PreparedResponse, workflow: Secretive): boolean {
  const text = textOf(prepared, 'utf8');
  return hasSecret(prepared, workflow) || workflow.secrets.shown(text) !== text;
}

/** @throws AnswerNotKeptError */
function wholeAnswer(
  { status, headers, body: given }: PreparedResponse,
  { secrets }: Secretive,
  maxBytes: number,
): StoredAnswer {
  const body = wholeOf(given);
  const size = sizeOf(body);
  if (size > maxBytes) throw tooLarge(size, maxBytes);
  const kept = headers.filter(([name, value]) => {
    const shown = secrets.shown({ [name]: value });
    return JSON.stringify(shown[name]) === JSON.stringify(value);
  });
  if (body === undefined) return { status, headers: kept };
  return typeof body === 'string'
    ? { status, headers: kept, text: body }
    : { status, headers: kept, base64: Buffer.from(body).toString('base64') };
}

function hasSecret(prepared: Pick<PreparedResponse, 'body'>, { secrets: { known } }: Secretive): boolean {
  if (!known) return false;
  const text = textOf(prepared, 'latin1');
  return known.withoutNamed(text) !== text || known.hasEncryptedIn(text);
}

function textOf({ body }: Pick<PreparedResponse, 'body'>, encoding: BufferEncoding): string {
  if (typeof body === 'string') return body;
  return body === undefined || body instanceof Readable ? '' : Buffer.from(body).toString(encoding);
}

const forbidsStoring = ([name, value]: PreparedResponse['headers'][number]): boolean =>
  name.toLowerCase() === 'cache-control' && /(?:^|[,\s])no-store(?:$|[,\s])/i.test(String(value));
