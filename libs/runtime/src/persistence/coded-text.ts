import { isWaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';

/** What a failed delivery is stored with: the message of its error, and before it the code of a typed one, to be found by. */
export function codedText(error: unknown): string {
  const { message } = toErrorLike(error);
  return isWaymarkError(error) ? `${startOfCodedText(error.code)}${message}` : message;
}

/** What a stored error text of that code begins with. */
export const startOfCodedText = (code: string): string => `${code}: `;

export const withoutCode = (text: string): string => text.replace(/^WM\d{4}: /, '');
