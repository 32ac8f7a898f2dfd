import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, Input, Output } from '@waymark/core';
import { type CompiledInput, type NodeReader } from '@waymark/core/adapter';
import { type HttpFile, httpFile } from '../requests/http-file.js';
import { filenameOf } from '../requests/parse-content.js';
import { filenameInUrl } from '../requests/plain-filename.js';
import { CONTENT_TYPE_DROPDOWN, dropdown, HEADERS_EDITOR } from '../responses/content-type-choices.js';
import { outcomesOf } from './flow-send-http-request.js';
import { type HttpResponseData, responseData, URI_TYPE } from './http-request-activity.js';
import type { IncomingResponse } from './outgoing-http.js';
import { RequestSender } from './request-sender.js';
import { readResilience, resilienceOf } from './resilience.js';
import { nextRetry } from './retry-records.js';

/** Downloads a file. */
@Injectable()
@Activity({
  type: 'Elsa.DownloadHttpFile',
  category: 'HTTP',
  displayName: 'Download File',
  description: 'Downloads a file.',
  kind: 'Task',
  customProperties: { Resilient: true, ResilienceCategory: 'HTTP' },
})
export class DownloadHttpFile extends ActivityBase {
  /** URL of the file. */
  @Input({ type: URI_TYPE, displayName: 'URL', description: 'URL of the file.', order: 0 })
  url: string | null;

  /** Method of the request. */
  @Input({
    type: 'String',
    defaultValue: 'GET',
    ...dropdown(['GET', 'POST', 'PUT']),
    description: 'Method of the request.',
    order: 0,
  })
  method: string | null;

  /** Status codes that have their own outcome. */
  @Input({
    type: 'List<Int32>',
    defaultValue: [200],
    uiHint: 'multitext',
    description: 'Status codes that have their own outcome.',
    order: 0,
  })
  expectedStatusCodes: readonly number[] | null;

  /** Content of the request. */
  @Input({
    name: 'Content',
    type: 'Object',
    displayName: 'Request Content',
    description: 'Content of the request.',
    order: 0,
  })
  requestContent: unknown;

  /** Content type of the request. */
  @Input({
    type: 'String',
    displayName: 'Content Type',
    ...CONTENT_TYPE_DROPDOWN,
    description: 'Content type of the request.',
    order: 0,
  })
  requestContentType: string | null;

  // The reference does not call this one sensitive and journals the credentials.
  /** Authorization header of the request. */
  @Input({
    type: 'String',
    category: 'Security',
    isSensitive: true,
    description: 'Authorization header of the request.',
    order: 0,
  })
  authorization: string | null;

  /** Sends the Authorization header without checking its format. */
  @Input({
    type: 'Boolean',
    category: 'Security',
    description: 'Sends the Authorization header without checking its format.',
    order: 0,
  })
  disableAuthorizationHeaderValidation: boolean | null;

  /** Additional request headers. */
  @Input({
    type: 'HttpHeaders',
    category: 'Advanced',
    ...HEADERS_EDITOR,
    description: 'Additional request headers.',
    order: 0,
  })
  requestHeaders: Record<string, unknown> | null;

  /** The response, without its content. */
  @Output({
    type: 'HttpResponseMessage',
    isSerializable: false,
    description: 'The response, without its content.',
    order: 0,
  })
  response?: HttpResponseData;

  /** Status of the response. */
  @Output({ type: 'Int32', description: 'Status of the response.', order: 0 })
  statusCode?: number;

  /** The file as a stream, for the same burst. */
  @Output({ type: 'Stream', isSerializable: false, description: 'The file as a stream, for the same burst.', order: 0 })
  responseContentStream?: Readable;

  /** The file as bytes. */
  @Output({ type: 'ByteArray', isSerializable: false, description: 'The file as bytes.', order: 0 })
  responseContentBytes?: Uint8Array;

  /** Headers of the response. */
  @Output({ type: 'HttpHeaders', description: 'Headers of the response.', order: 0 })
  responseHeaders?: Record<string, unknown>;

  /** Headers on the content of the response. */
  @Output({
    type: 'HttpHeaders',
    displayName: 'Content Headers',
    description: 'Headers on the content of the response.',
    order: 0,
  })
  responseContentHeaders?: Record<string, unknown>;

  /** The file. */
  @Output({ type: 'HttpFile', isSerializable: false, description: 'The file.', order: 0 })
  result?: HttpFile;

  /** Set when the node says `content`, as the designer writes it, and not `requestContent`, which is the member's name. */
  private readonly contentInput: CompiledInput | undefined;
  private readonly resilience: unknown;

  constructor(private readonly sender: RequestSender) {
    super();
  }

  /** Reads the content that a designer has written, and what the node says about retries. */
  static readNode(json: Readonly<Record<string, unknown>>, reader: NodeReader): Record<string, unknown> {
    const isByDesigner = json.content !== undefined && json.content !== null && (json.requestContent ?? null) === null;
    const content = isByDesigner ? { contentInput: reader.input(json.content, 'Object') } : {};
    return { ...readResilience(json, reader), ...content };
  }

  async execute(ctx: ActivityExecutionContext): Promise<void> {
    return this.sendFrom(ctx, 1);
  }

  /** Called by name when the wait before a retry is over. */
  sendAgain(ctx: ActivityExecutionContext): Promise<void> {
    return this.sendFrom(ctx, nextRetry(ctx));
  }

  private async sendFrom(ctx: ActivityExecutionContext, retry: number): Promise<void> {
    const content = this.contentInput ? await ctx.evaluate(this.contentInput) : this.requestContent;
    ctx.workflow.secrets.noteSent(this.requestHeaders);
    const strategy = this.sender.strategy(await resilienceOf(ctx, this.resilience));
    const description = { ...this.description, content, isDownload: true };
    const evaluatedAgain = this.contentInput && !this.contentInput.constant ? [content] : [];
    const again = { retry, callback: this.sendAgain, evaluatedAgain };
    const result = await this.sender.send(ctx, description, strategy, again);
    if (!result) return;
    if (result.kind === 'response') this.takeOver(ctx, result.response);
    ctx.completeWithOutcomes(...outcomesOf(result, this.expectedStatusCodes ?? []));
  }

  private get description() {
    const {
      url,
      method,
      requestContentType: contentType,
      authorization,
      disableAuthorizationHeaderValidation,
      requestHeaders,
    } = this;
    return { url, method, contentType, authorization, disableAuthorizationHeaderValidation, requestHeaders };
  }

  private takeOver(ctx: ActivityExecutionContext, response: IncomingResponse): void {
    const { headers } = response;
    const bytes = Uint8Array.from(response.body);
    const eTag = headers.first('etag');
    this.response = responseData(response);
    this.statusCode = response.status;
    this.responseHeaders = headers.ofResponse;
    ctx.workflow.secrets.noteReceivedHeaders(this.responseHeaders);
    this.responseContentHeaders = headers.ofContent;
    this.responseContentBytes = bytes;
    this.result = httpFile({
      filename: filenameOf(headers.first('content-disposition')) ?? filenameInUrl(this.url) ?? 'file.bin',
      contentType: headers.first('content-type') ?? 'application/octet-stream',
      length: bytes.length,
      ...(eTag !== undefined && { eTag }),
      bytes,
    });
    // A stream has no place in the journal, so it goes only where the definition sends it.
    const binding = ctx.node.outputs.get('ResponseContentStream');
    if (binding) ctx.workflow.assignOutput(ctx, binding.targetId, Readable.from([bytes]));
  }
}
