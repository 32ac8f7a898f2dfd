import type { ActivityExecutionContext } from '@waymark/core';
import { isHttpFile } from '../requests/http-file.js';
import type { OutgoingRequest } from './outgoing-http.js';

/** Of the content of a request that is stored for a retry. */
const MOST_STORED_BYTES = 1_000_000;
/** Shorter texts of an input stand in any value. */
const MIN_TEXT = 4;
/** Texts of the input of a burst that are looked for. */
const MOST_TEXTS = 1000;
/** Objects in a value that are searched for texts. */
const MOST_OBJECTS = 10_000;
/** Characters that the search for the texts of the input in what is evaluated again looks at: some milliseconds. */
const MOST_SEARCHED = 20_000_000;

/**
 * True if a later burst can make the request again, by the inputs that are stored with the activity. Not where much would be stored, and not where
 * it has what later bursts lack: a credential that came with a request, or a part of the burst's input in a value that is not stored,
 * because it is a secret, but evaluated again.
 * @param content as it was sent
 * @param evaluatedAgain further values that are not inputs of the activity
 */
export function canBeMadeLater(
  ctx: ActivityExecutionContext,
  { url, headers, body }: OutgoingRequest,
  content: unknown,
  evaluatedAgain: readonly unknown[],
): boolean {
  if (isHttpFile(content) || content instanceof Uint8Array || (body?.length ?? 0) > MOST_STORED_BYTES) return false;
  const { secrets, input } = ctx.workflow;
  const texts = [url, ...headers.flatMap(([, value]) => value), ...(body ? [Buffer.from(body).toString()] : [])];
  if (secrets.holdsReceived(texts)) return false;
  const again = textsOf([...withheld(ctx), ...evaluatedAgain]);
  if (again?.length === 0) return true;
  const ofInput = textsOf(input)?.filter(({ length }) => length >= MIN_TEXT);
  // What is too large to be searched may have a part of the input.
  if (!again || !ofInput) return false;
  const length = again.reduce((sum, text) => sum + text.length, 0);
  if (length * ofInput.length > MOST_SEARCHED) return false;
  return !again.some((text) => ofInput.some((part) => text.includes(part)));
}

/** Values of inputs that are not stored, and are evaluated again when the activity continues. */
function withheld({ activity, node, workflow }: ActivityExecutionContext): unknown[] {
  return node.evaluatedInputs.flatMap(({ name, propertyName, type, constant, isKept }) => {
    const value = (activity as unknown as Record<string, unknown>)[propertyName];
    if (constant || value === null || value === undefined) return [];
    return !isKept || workflow.secrets.isWithheld(name, type, value) ? [value] : [];
  });
}

/** Texts and numbers in a value, which may contain itself; undefined: there are too many, or too many objects. */
function textsOf(value: unknown): string[] | undefined {
  const found: string[] = [];
  const seen = new Set<object>();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string' || typeof next === 'number' || typeof next === 'bigint') found.push(String(next));
    else if (typeof next === 'object' && next !== null && !ArrayBuffer.isView(next) && !seen.has(next)) {
      seen.add(next);
      for (const part of partsOf(next)) pending.push(part);
    }
    if (found.length > MOST_TEXTS || seen.size > MOST_OBJECTS) return undefined;
  }
  return found;
}

function partsOf(value: object): Iterable<unknown> {
  if (value instanceof Map) return [...value.keys(), ...value.values()];
  return value instanceof Set ? value : (Object.values(value) as unknown[]);
}
