import { Inject, Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, Input } from '@waymark/core';
import { FileNotFetchedError } from '../client/outgoing-errors.js';
import { OutgoingHttp } from '../client/outgoing-http.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import type { HttpRequest } from '../requests/http-request.js';
import { requireRequestContext } from '../requests/require-request-context.js';
import { type DownloadConditions, judgeDownload } from './conditional-request.js';
import { attachment } from './content-disposition.js';
import { AnswerSecrets } from './answer-secrets.js';
import { zipped } from './archive.js';
import { type Download, downloadsOf, type FetchFile } from './downloads.js';
import { entityTag } from '../requests/hash-in-turns.js';
import type { HeaderValue, PreparedResponse } from './http-response-writer.js';
import { mediaTypeOf } from './media-types.js';
import { warn } from './warn.js';

/** Sends one file, or several as a zip archive, to the client of the current HTTP request. */
@Injectable()
@Activity({
  type: 'Elsa.WriteFileHttpResponse',
  category: 'HTTP',
  displayName: 'HTTP File Response',
  description: 'Sends one file, or several as a zip archive, to the client of the current HTTP request.',
})
export class WriteFileHttpResponse extends ActivityBase {
  /** Content type of the file. By default it is derived from the file name. */
  @Input({
    type: 'String',
    description: 'Content type of the file. By default it is derived from the file name.',
    order: 0,
  })
  contentType: string | null;

  /** Name under which the client saves the file. */
  @Input({ type: 'String', description: 'Name under which the client saves the file.', order: 0 })
  filename: string | null;

  /** Entity tag, which identifies this version of the file. */
  @Input({
    type: 'String',
    description:
      'Entity tag, which identifies this version of the file. That of an archive ends with a hash of its bytes.',
    order: 0,
  })
  entityTag: string | null;

  /** Bytes, text, a URL, a file, or a list of these. */
  @Input({ type: 'Object', description: 'Bytes, text, a URL, a file, or a list of these.', order: 0 })
  content: unknown;

  /** Lets clients resume an interrupted download. */
  @Input({ type: 'Boolean', description: 'Lets clients resume an interrupted download.', order: 0 })
  enableResumableDownloads: boolean | null;

  /** Ignored; kept for definitions from Elsa. */
  @Input({ type: 'String', description: 'Ignored; kept for definitions from Elsa.', order: 0 })
  downloadCorrelationId: string | null;

  /**
   * If true, the answer may contain the values of secrets by name. @default false: an answer that contains one is not sent
   * (`WM5017`)
   */
  @Input({
    type: 'Boolean',
    category: 'Advanced',
    description: 'Whether the answer may contain values of secrets. Otherwise such an answer is not sent.',
    order: 0,
    isOmittedUnset: true,
  })
  allowSecrets: boolean | null;

  constructor(
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
    private readonly http: OutgoingHttp,
  ) {
    super();
  }

  async execute(ctx: ActivityExecutionContext): Promise<void> {
    const { request, response } = requireRequestContext(ctx, this.options);
    const files = await downloadsOf(this.content, this.fetchFile(ctx), this.options);
    await this.requireNoSecret(ctx, files);
    const [first] = files;
    const prepared = first
      ? await this.prepare(
          files.length === 1 ? first : await zipped(files, this.filename ?? undefined, ctx.signal),
          request,
        )
      : NO_CONTENT;
    if (!response.write(prepared))
      warn(ctx, 'A response was already written: the file is not sent, or is appended to it.');
    if (this.options.writeResponseSynchronously) await response.send();
    ctx.complete();
  }

  /** Of each file by itself: an archive is compressed. @throws SecretInAnswerError (`WM5017`) */
  private async requireNoSecret(ctx: ActivityExecutionContext, files: readonly Download[]): Promise<void> {
    const secrets = AnswerSecrets.of(ctx, this.allowSecrets);
    if (!secrets) return;
    const described = [this.contentType, this.filename, this.entityTag];
    secrets.requireValue([this.content, described]);
    for (const { bytes, contentType, filename, eTag } of files) {
      await secrets.requireContent(bytes, 'a file');
      described.push(contentType ?? null, filename, eTag ?? null);
    }
    for (const text of described) await secrets.requireContent(text, 'what describes a file');
  }

  private fetchFile(ctx: ActivityExecutionContext): FetchFile {
    return async (url) => {
      const { status, body, headers } = await this.http.send({
        method: 'GET',
        url,
        headers: [],
        isDownload: true,
        signal: ctx.signal,
      });
      if (status >= 400) throw new FileNotFetchedError(url, status);
      return {
        bytes: body,
        contentType: headers.first('content-type'),
        contentDisposition: headers.first('content-disposition'),
        eTag: headers.first('etag'),
      };
    };
  }

  /** @throws BadRequestHeaderError (`WM5003`) */
  private async prepare(file: Download, request: HttpRequest | undefined): Promise<PreparedResponse> {
    const filename = this.filename || file.filename;
    // A name that was given says more than the kind of value the content happens to be.
    const byName = this.filename ? mediaTypeOf(this.filename) : undefined;
    const contentType =
      this.contentType || byName || file.contentType || mediaTypeOf(filename) || 'application/octet-stream';
    const headers: [string, HeaderValue][] = [
      ['Content-Type', contentType],
      ['Content-Disposition', attachment(filename)],
    ];
    if (!this.enableResumableDownloads) return { status: 200, headers, body: file.bytes };
    return this.prepareResumable(file, headers, request ? conditionsOf(request) : {});
  }

  private async prepareResumable(
    file: Download,
    headers: [string, HeaderValue][],
    conditions: DownloadConditions,
  ): Promise<PreparedResponse> {
    const { bytes } = file;
    const eTag = file.isArchive
      ? await tagOfArchive(bytes, this.entityTag)
      : (quoted(this.entityTag || file.eTag) ?? (await entityTag(bytes)));
    const answer = judgeDownload(conditions, bytes.length, eTag);
    const all: [string, HeaderValue][] = [...headers, ['ETag', eTag], ['Accept-Ranges', 'bytes']];
    switch (answer.status) {
      case 200:
        return { status: 200, headers: all, body: bytes };
      case 206: {
        const range = `bytes ${answer.start}-${answer.end}/${bytes.length}`;
        return {
          status: 206,
          headers: [...all, ['Content-Range', range]],
          body: bytes.subarray(answer.start, answer.end + 1),
        };
      }
      case 416:
        return { status: 416, headers: [['Content-Range', `bytes */${bytes.length}`]] };
      case 304:
      case 412:
        return { status: answer.status, headers: [['ETag', eTag]] };
    }
  }
}

const NO_CONTENT: PreparedResponse = { status: 204, headers: [] };

const conditionsOf = (request: HttpRequest): DownloadConditions => ({
  range: request.method === 'GET' ? request.header('range') : undefined,
  ifMatch: request.header('if-match'),
  // For others, 304 is not defined, and by now the workflow has done what 412 would say was not done.
  ifNoneMatch: /^(GET|HEAD)$/.test(request.method) ? request.header('if-none-match') : undefined,
  ifRange: request.header('if-range'),
});

/** With that of its bytes: a download that continues at a node that compresses in another way would be no archive. */
async function tagOfArchive(bytes: Uint8Array, given: string | null): Promise<string> {
  const own = await entityTag(bytes);
  return given ? quoted(given)!.replace(/"$/, `-${own.slice(1)}`) : own;
}

function quoted(tag: string | null | undefined): string | undefined {
  if (!tag) return undefined;
  return /^(W\/)?".*"$/.test(tag) ? tag : `"${tag.replaceAll('"', '')}"`;
}
