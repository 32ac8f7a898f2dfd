import { ActivityBase, type ActivityExecutionContext, Input, Output } from '@waymark/core';
import { inAnyCasing, type NodeReader } from '@waymark/core/adapter';
import { boundTypeOf } from '../endpoint/bound-type.js';
import { answerLimit, decodeText, parseContent } from '../requests/parse-content.js';
import { isForm, isMultipart, parseForm } from '../requests/parse-form.js';
import { CONTENT_TYPE_DROPDOWN, dropdown, HEADERS_EDITOR } from '../responses/content-type-choices.js';
import type { IncomingResponse } from './outgoing-http.js';
import type { RequestSender, SendResult } from './request-sender.js';
import { readResilience, resilienceOf } from './resilience.js';
import { nextRetry } from './retry-records.js';
import { LEGACY_RETRY, type RetryStrategy } from './retry-strategy.js';

/** Type name that descriptors show for URLs. */
export const URI_TYPE = 'UnregisteredClrType:System.Uri, System.Private.Uri';

/** What workflows see of a response: plain data. */
export interface HttpResponseData {
  readonly statusCode: number;
  readonly reasonPhrase: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly contentHeaders: Readonly<Record<string, unknown>>;
}

/** What SendHttpRequest and its flowchart version have in common; they differ in where they go afterwards. */
export abstract class HttpRequestActivity extends ActivityBase {
  /** Status codes that have their own outcome or branch. */
  @Input({ order: 0 }) expectedStatusCodes: unknown;

  @Input({ type: URI_TYPE, description: 'URL to send the request to.', order: 0 })
  url: string | null;

  @Input({
    type: 'String',
    defaultValue: 'GET',
    ...dropdown(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']),
    description: 'Method of the request.',
    order: 1,
  })
  method: string | null;

  @Input({ type: 'Object', description: 'Content of the request; sent only together with a content type.', order: 2 })
  content: unknown;

  @Input({ type: 'String', ...CONTENT_TYPE_DROPDOWN, description: 'Content type of the request.', order: 3 })
  contentType: string | null;

  @Input({
    type: 'String',
    category: 'Security',
    isSensitive: true,
    description: 'Authorization header, e.g. Bearer and a token.',
    order: 4,
  })
  authorization: string | null;

  @Input({
    type: 'Boolean',
    category: 'Security',
    description: 'Sends the Authorization header without checking its format.',
    order: 5,
  })
  disableAuthorizationHeaderValidation: boolean | null;

  @Input({
    type: 'HttpHeaders',
    category: 'Advanced',
    ...HEADERS_EDITOR,
    description: 'Additional request headers.',
    order: 6,
  })
  requestHeaders: Record<string, unknown> | null;

  @Input({ type: 'Boolean', description: 'Obsolete: name a resilience strategy instead.', order: 0 })
  enableResiliency: boolean | null;

  @Output({ type: 'Int32', description: 'Status of the response.', order: 0 })
  statusCode?: number;

  @Output({
    type: 'Object',
    description: 'Content of the response: data, text or a file, by its content type.',
    order: 0,
  })
  parsedContent: unknown;

  @Output({ type: 'HttpHeaders', description: 'Headers of the response, a list of values each.', order: 0 })
  responseHeaders?: Record<string, unknown>;

  @Output({
    type: 'HttpResponseMessage',
    isSerializable: false,
    description: 'The response, without its content.',
    order: 0,
  })
  result?: HttpResponseData;

  protected abstract readonly sender: RequestSender;
  private readonly resilience: unknown;

  /** Reads what the node says about retries. */
  static readNode(json: Readonly<Record<string, unknown>>, reader: NodeReader): Record<string, unknown> {
    return { ...readResilience(json, reader) };
  }

  async execute(ctx: ActivityExecutionContext): Promise<void> {
    return this.sendFrom(ctx, 1);
  }

  /** Called by name when the wait before a retry is over. */
  sendAgain(ctx: ActivityExecutionContext): Promise<void> {
    return this.sendFrom(ctx, nextRetry(ctx));
  }

  private async sendFrom(ctx: ActivityExecutionContext, retry: number): Promise<void> {
    ctx.workflow.secrets.noteSent(this.requestHeaders);
    const again = { retry, callback: this.sendAgain };
    const result = await this.sender.send(ctx, this, await this.retryStrategy(ctx), again);
    if (!result) return;
    if (result.kind === 'response') await this.takeOver(ctx, result.response);
    await this.proceed(ctx, result);
  }

  /** Goes where the result leads. */
  protected abstract proceed(ctx: ActivityExecutionContext, result: SendResult): unknown;

  private async retryStrategy(ctx: ActivityExecutionContext): Promise<RetryStrategy | undefined> {
    const given = await resilienceOf(ctx, this.resilience);
    return this.sender.strategy(given) ?? (this.enableResiliency ? LEGACY_RETRY : undefined);
  }

  private async takeOver(ctx: ActivityExecutionContext, response: IncomingResponse): Promise<void> {
    this.result = responseData(response);
    this.statusCode = response.status;
    this.responseHeaders = response.headers.ofResponse;
    ctx.workflow.secrets.noteReceivedHeaders(this.responseHeaders);
    this.parsedContent = await parseResponse(
      response,
      boundTypeOf(ctx, 'ParsedContent'),
      this.sender.maxResponseValues,
    );
    ctx.workflow.secrets.noteContent(this.parsedContent);
  }
}

export function responseData({ status, reason, headers }: IncomingResponse): HttpResponseData {
  const { ofResponse, ofContent } = headers;
  // Scripts of Elsa write `StatusCode`.
  return inAnyCasing({ statusCode: status, reasonPhrase: reason, headers: ofResponse, contentHeaders: ofContent });
}

/** Of variables for content as it is. */
const FILE_TYPES: ReadonlySet<string | undefined> = new Set(['HttpFile', 'ByteArray', 'Stream']);

/** Several token servers answer so. As a file, its bytes would stand in journals, with the token. */
const isEncodedForm = (contentType: string | undefined): contentType is string =>
  isForm(contentType) && !isMultipart(contentType);

/** @param type of whatever receives the content; undefined: data for plain JSON, else text */
async function parseResponse(
  { headers, body }: IncomingResponse,
  type: string | undefined,
  maxValues: number,
): Promise<unknown> {
  if (body.length === 0) return null;
  const contentType = headers.first('content-type');
  const isData = type === undefined ? /^\s*application\/json\s*(;|$)/i.test(contentType ?? '') : type !== 'String';
  if (isEncodedForm(contentType) && !FILE_TYPES.has(type))
    return type === 'String' ? decodeText(body, contentType) : (await parseForm(body, contentType)).fields;
  const facts = { contentType, contentDisposition: headers.first('content-disposition'), eTag: headers.first('etag') };
  return parseContent(body, facts, isData ? 'data' : 'text', answerLimit(maxValues));
}
