import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { toPlainJson } from '@waymark/core/adapter';
import { dispositionOf } from './file-answer.js';
import { type NamedText, zipped } from './zipped.js';

/**
 * An answer that is made while it is sent, no faster than the client reads. The first part is made before the answer begins, so
 * that an error at the start gets an error response; a later one breaks off the connection. When the client leaves, no more parts
 * are made.
 */
export async function streamAnswer(
  parts: AsyncGenerator<string | Uint8Array, void>,
  options: { readonly type: string; readonly disposition?: string },
): Promise<StreamableFile> {
  const first = await parts.next();
  const all = async function* () {
    try {
      if (!first.done) yield first.value;
      yield* parts;
    } finally {
      await parts.return();
    }
  };
  return new StreamableFile(Readable.from(all(), { objectMode: false }), options);
}

/** A download of several files as one archive. */
export function zipAnswer(name: string, files: AsyncIterable<NamedText>): Promise<StreamableFile> {
  return streamAnswer(zipped(files), { type: 'application/octet-stream', disposition: dispositionOf(name) });
}

/** JSON with one long list in it. @param head members before the list */
export function listStream(
  name: string,
  items: AsyncIterable<readonly unknown[]>,
  head: Readonly<Record<string, unknown>> = {},
): Promise<StreamableFile> {
  return streamAnswer(listText(name, items, head), { type: 'application/json' });
}

/** JSON that is one long list. */
export function arrayStream(items: AsyncIterable<readonly unknown[]>): Promise<StreamableFile> {
  return streamAnswer(arrayText(items), { type: 'application/json' });
}

async function* listText(
  name: string,
  items: AsyncIterable<readonly unknown[]>,
  head: Readonly<Record<string, unknown>>,
): AsyncGenerator<string, void> {
  const members = Object.entries(head).map(([key, value]) => `${JSON.stringify(key)}:${textOf(value)},`);
  // Sent together with the first items: reading those may fail, which has to be answered with an error.
  let before = `{${members.join('')}${JSON.stringify(name)}:`;
  for await (const part of arrayText(items)) {
    yield before + part;
    before = '';
  }
  yield '}';
}

async function* arrayText(items: AsyncIterable<readonly unknown[]>): AsyncGenerator<string, void> {
  let before = '[';
  for await (const some of items) {
    if (some.length === 0) continue;
    yield before + some.map(textOf).join(',');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

const textOf = (value: unknown): string => JSON.stringify(toPlainJson(value)) ?? 'null';
