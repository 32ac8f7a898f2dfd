import { Inject, Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, Input } from '@waymark/core';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { requireRequestContext } from '../requests/require-request-context.js';
import { AnswerSecrets } from './answer-secrets.js';
import { CONTENT_TYPE_DROPDOWN, HEADERS_EDITOR } from './content-type-choices.js';
import { headerList } from './header-list.js';
import { STATUS_CODE_ITEMS, statusCodeOf } from './http-status.js';
import {
  closeStream,
  type HeaderValue,
  type HttpResponseWriter,
  type PreparedResponse,
} from './http-response-writer.js';
import { renderContent } from './render-content.js';
import { requireFewHeaders } from './sendable.js';
import { warn } from './warn.js';

/** Writes the response to the current HTTP request. */
@Injectable()
@Activity({
  type: 'Elsa.WriteHttpResponse',
  category: 'HTTP',
  displayName: 'HTTP Response',
  description: 'Writes the response to the current HTTP request.',
})
export class WriteHttpResponse extends ActivityBase {
  /** Status, by number or name. @default `OK` */
  @Input({
    type: 'HttpStatusCode',
    defaultValue: 'OK',
    uiHint: 'dropdown',
    uiSpecifications: { dropdown: { selectList: { items: STATUS_CODE_ITEMS } } },
    description: 'Status of the response.',
    order: 0,
  })
  statusCode: string | number | null;

  /** Content of the response: text, an object, bytes or a file. */
  @Input({ type: 'Object', description: 'Content of the response: text, an object, bytes or a file.', order: 0 })
  content: unknown;

  /** Content type. By default it is derived from the content. */
  @Input({
    type: 'String',
    ...CONTENT_TYPE_DROPDOWN,
    description: 'Content type. By default it is derived from the content.',
    order: 0,
  })
  contentType: string | null;

  /** Headers of the response. */
  @Input({
    type: 'HttpHeaders',
    category: 'Advanced',
    ...HEADERS_EDITOR,
    description: 'Headers of the response.',
    order: 0,
  })
  responseHeaders: Record<string, HeaderValue | null> | null;

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

  constructor(@Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions) {
    super();
  }

  execute(ctx: ActivityExecutionContext): unknown {
    const { response } = requireRequestContext(ctx, this.options);
    ctx.workflow.secrets.noteSent(this.responseHeaders);
    const headers = headerList(this.responseHeaders);
    const status = statusCodeOf(this.statusCode);
    const { content } = this;
    const rendered =
      content === null || content === undefined
        ? undefined
        : renderContent(content, this.contentType ?? typeIn(headers));
    if (rendered) headers.push(['Content-Type', rendered.contentType]);
    const prepared = { status, headers, body: rendered?.body };
    let looked: void | Promise<void>;
    try {
      looked = this.requireNoSecret(ctx, prepared);
    } catch (error) {
      closeStream(prepared.body);
      throw error;
    }
    // A stream is not looked through, and so none waits here.
    return looked ? looked.then(() => this.write(ctx, response, prepared)) : this.write(ctx, response, prepared);
  }

  /** @returns a promise where the content is large @throws SecretInAnswerError (`WM5017`) */
  private requireNoSecret(ctx: ActivityExecutionContext, { headers, body }: PreparedResponse): void | Promise<void> {
    const secrets = AnswerSecrets.of(ctx, this.allowSecrets);
    if (!secrets) return undefined;
    requireFewHeaders(headers);
    secrets.requireHeaders(headers);
    secrets.requireValue(this.content);
    return secrets.requireContent(body);
  }

  private write(ctx: ActivityExecutionContext, response: HttpResponseWriter, prepared: PreparedResponse): unknown {
    const inTime = response.write(prepared);
    if (!inTime)
      warn(
        ctx,
        response.isSent
          ? 'The response has already been sent.'
          : 'The response already has a status and headers; the content was appended to it.',
      );
    const sending = this.options.writeResponseSynchronously ? response.send() : undefined;
    return sending ? sending.then(() => ctx.complete()) : ctx.complete();
  }
}

function typeIn(headers: readonly (readonly [string, HeaderValue])[]): string | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return typeof value === 'string' ? value : value?.[0];
}
