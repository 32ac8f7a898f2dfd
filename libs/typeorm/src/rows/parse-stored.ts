import { StoredValueError } from '@waymark/core';

/** For columns of plain JSON. @throws StoredValueError, without the parser's error as cause: that one shows a part of the text */
export function parseStored(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StoredValueError('it is not JSON');
  }
}
