import { randomBytes } from 'node:crypto';

// What options may be: each refusal names the option.

const MIN_KEY_LENGTH = 32;
const MAX_COUNT = 10_000;
const MOST_BYTES = 256 * 1024 * 1024;

export function requireKey(option: string, key: string | undefined): string {
  if (key === undefined) return randomBytes(48).toString('base64');
  if (key.length >= MIN_KEY_LENGTH) return key;
  throw new RangeError(
    `WorkflowApiModule option '${option}' must have at least ${MIN_KEY_LENGTH} characters, not ${key.length}.`,
  );
}

export function requireCount(option: string, count: number): number {
  if (Number.isSafeInteger(count) && count >= 0 && count <= MAX_COUNT) return count;
  throw new RangeError(
    `WorkflowApiModule option '${option}' must be a whole number from 0 to ${MAX_COUNT}, not ${count}.`,
  );
}

export function requireUrl(url: string | undefined): string | undefined {
  if (url === undefined || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
    return url?.replace(/\/+$/, '');
  throw new RangeError(`WorkflowApiModule option 'publicUrl' must be an http or https URL, not '${url}'.`);
}

export function requireBytes(option: string, bytes: number, least = 0): number {
  if (Number.isInteger(bytes) && bytes >= least && bytes <= MOST_BYTES) return bytes;
  throw new RangeError(
    `WorkflowApiModule option '${option}' must be a whole number of bytes from ${least} to ${MOST_BYTES} (256 MB), not ${bytes}.`,
  );
}

export function requireSome(option: string, count: number): number {
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new RangeError(`WorkflowApiModule option '${option}' must be a whole number of 1 or more, not ${count}.`);
}

export function requirePositive(option: string, ms: number): number {
  if (ms > 0) return ms;
  throw new RangeError(`WorkflowApiModule option 'authentication.${option}' must be greater than 0, not ${ms}.`);
}
