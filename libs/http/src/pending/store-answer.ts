import type { WorkflowExecutionContext } from '@waymark/core';
import { Readable } from 'node:stream';
import type { PreparedResponse } from '../responses/http-response-writer.js';
import type { StoredAnswer } from './kept-requests.js';
import { AnswerNotKeptError } from './pending-errors.js';

/**
 * An answer as it is kept in the state of an instance. Headers with credentials are left out, since a state has none.
 * @throws AnswerNotKeptError it is larger than `maxBytes`, a stream, or holds a secret of the host or an encrypted value
 */
export function storableAnswer(
  { status, headers, body }: PreparedResponse,
  { secrets }: Pick<WorkflowExecutionContext, 'secrets'>,
  maxBytes: number,
): StoredAnswer {
  if (body instanceof Readable)
    throw new AnswerNotKeptError('The answer is a stream, which cannot be kept. Write text, bytes or a file instead.');
  const size = body === undefined ? 0 : Buffer.byteLength(body);
  if (size > maxBytes)
    throw new AnswerNotKeptError(
      `The answer has ${size} bytes, and at most ${maxBytes} are kept for a client. ` +
        "Write a shorter one, or raise the option 'http.maxKeptAnswerBytes'.",
    );
  const { known } = secrets;
  const hasSecret = (text: string): boolean =>
    known !== undefined && (known.withoutNamed(text) !== text || known.hasEncryptedIn(text));
  const kept = headers.filter(([name, value]) => {
    const shown = secrets.shown({ [name]: value });
    return JSON.stringify(shown[name]) === JSON.stringify(value);
  });
  const text = typeof body === 'string' ? body : body === undefined ? '' : Buffer.from(body).toString('latin1');
  if (hasSecret(text))
    throw new AnswerNotKeptError(
      'The answer holds a secret or an encrypted value, which is not stored. Answer without it, before the workflow waits.',
    );
  if (body === undefined) return { status, headers: kept };
  return typeof body === 'string'
    ? { status, headers: kept, text: body }
    : { status, headers: kept, base64: Buffer.from(body).toString('base64') };
}

/**
 * The same for a request that its client may repeat after it has received the answer. Not stored are answers with `no-store`, and
 * those with credentials in their content, as recognized by the names of members.
 * @throws AnswerNotKeptError
 */
export function repeatableAnswer(
  prepared: PreparedResponse,
  workflow: Pick<WorkflowExecutionContext, 'secrets'>,
  maxBytes: number,
): StoredAnswer {
  const stored = storableAnswer(prepared, workflow, maxBytes);
  const { body } = prepared;
  const text = typeof body === 'string' || body === undefined ? body : Buffer.from(body as Uint8Array).toString();
  if (prepared.headers.some(forbidsStoring) || (text !== undefined && workflow.secrets.shown(text) !== text))
    throw new AnswerNotKeptError('The answer is not to be stored, or holds a credential: it is sent once.');
  return stored;
}

const forbidsStoring = ([name, value]: PreparedResponse['headers'][number]): boolean =>
  name.toLowerCase() === 'cache-control' && /(?:^|[,\s])no-store(?:$|[,\s])/i.test(String(value));
