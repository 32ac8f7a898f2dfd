import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Bookmark } from '@waymark/core';
import type { OutgoingMessage } from '@waymark/core/adapter';
import { type WorkflowCodeMissingError, WorkflowPersistence, type StoredBookmark } from '@waymark/runtime';
import {
  BookmarkConsumedError,
  BookmarkResumer,
  isGone,
  OutboxProcessor,
  type OutboxMessage,
  type ResolvedRuntimeOptions,
  RUNTIME_OPTIONS,
  WorkflowLogger,
} from '@waymark/runtime/adapter';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { HTTP_ENDPOINT, readEndpointPayload } from '../endpoint/endpoint-payload.js';
import { RequestToken } from '../pending/request-token.js';
import type { HttpRequestContext, Keeping } from '../requests/http-request-context.js';
import type { BodyLimits } from '../requests/request-body.js';
import { jsonResponse } from '../requests/rejection.js';
import { restoreRequest, storeRequest, type StoredRequest } from '../requests/stored-request.js';
import type { PreparedResponse } from '../responses/http-response-writer.js';
import { bodyLimitsOf, inputOf } from './endpoint-input.js';

/** Kind of the messages. A node that does not know it leaves them to others. */
const HTTP_REQUEST = 'http-request';

/** Ids of the messages of a bookmark: of several requests, the first counts, and the next one if that has become a dead letter. */
function* messageIdsOf(bookmarkId: string): Generator<string, never> {
  const first = `http/${bookmarkId}`;
  yield first;
  for (let n = 2; ; n++) yield `${first}/${n}`;
}

/** Payload of kind `http-request`. */
interface RequestMessage {
  readonly bookmarkId: string;
  /** Hash of the token of a request whose client may ask for the answer later. Nodes of earlier builds neither write nor read it. */
  readonly token?: string;
  readonly request: StoredRequest;
}

/**
 * Requests to an endpoint at which an instance waits whose code this node lacks, as during a deployment. The request becomes a
 * message, and a node that has the code continues with it. The client gets 202; an endpoint with `respondAsync` keeps the answer for it.
 */
@Injectable()
export class HandedOverRequests implements OnModuleInit {
  private readonly logger = new WorkflowLogger('WorkflowEndpoints');
  private readonly bodyLimits: BodyLimits;

  constructor(
    private readonly outbox: OutboxProcessor,
    private readonly resumer: BookmarkResumer,
    private readonly persistence: WorkflowPersistence,
    @Inject(RUNTIME_OPTIONS)
    private readonly options: Pick<ResolvedRuntimeOptions, 'redaction' | 'encryption'>,
    @Inject(HTTP_OPTIONS) private readonly http: ResolvedHttpOptions,
  ) {
    this.bodyLimits = bodyLimitsOf(http);
  }

  onModuleInit(): void {
    this.outbox.register({ kind: HTTP_REQUEST, handle: (message) => this.serve(message) });
  }

  /**
   * Stores the request; of several for one bookmark, the first.
   * @returns the answer to the client
   * @throws WorkflowCodeMissingError as it was given, when the body cannot be stored
   * @throws BookmarkConsumedError when another request has come before
   */
  async handOver(
    { id: bookmarkId, workflowInstanceId }: StoredBookmark,
    context: HttpRequestContext,
    error: WorkflowCodeMissingError,
  ): Promise<PreparedResponse> {
    const request = await storeRequest(context, this.hiding);
    if (!request) throw error;
    const { keptAs } = context;
    const payload: RequestMessage = { bookmarkId, request, ...(keptAs !== undefined && { token: keptAs }) };
    const message = { kind: HTTP_REQUEST, payload, workflowInstanceId };
    if (!(await this.isKept(message, error, bookmarkId)))
      throw new BookmarkConsumedError(bookmarkId, workflowInstanceId);
    return jsonResponse(202, {
      workflowInstanceId,
      message: 'The request is stored. A node that has the code of this workflow version will process it.',
    });
  }

  /** @returns false when another request waits already. One whose attempts are used up does not: the instance waits, and that for an operator. */
  private async isKept(
    message: OutgoingMessage,
    error: WorkflowCodeMissingError,
    bookmarkId: string,
  ): Promise<boolean> {
    for (const id of messageIdsOf(bookmarkId)) {
      if (await this.outbox.handOver(message, error, id)) return true;
      const { items } = await this.persistence.outbox.findDeadLetters({ id });
      if (items.length === 0) return false;
    }
    return false;
  }

  /** Encrypted messages may hold credentials, and so may all where the host stores what it receives. */
  private get hiding() {
    const { redaction, encryption } = this.options;
    return !redaction || redaction.storeReceived || encryption ? undefined : redaction;
  }

  /** Whether one of the waits of an instance has a stored request with that token, which no node has served yet. */
  async isWaiting(
    { bookmarks }: { readonly bookmarks: readonly Pick<Bookmark, 'id' | 'name'>[] },
    token: string,
  ): Promise<boolean> {
    for (const { id, name } of bookmarks) {
      if (name !== HTTP_ENDPOINT) continue;
      for (const messageId of messageIdsOf(id)) {
        const message = await this.persistence.outbox.find(messageId);
        if (!message) break;
        if ((this.outbox.opened(message).payload as RequestMessage).token === token) return true;
      }
    }
    return false;
  }

  /** A message of an earlier build has no token. The request is kept with a new one: a workflow that answers later would fault without it. */
  private keepingOf(token: string | undefined, row: StoredBookmark | undefined): Keeping | undefined {
    const { respondAsync, maxKeptAnswerBytes: maxBytes } = this.http;
    const isKept = token !== undefined || (readEndpointPayload(row?.payload)?.respondAsync ?? respondAsync);
    const hash = token ?? RequestToken.create().hash;
    return isKept ? { token: { hash }, maxBytes, isHandedOver: token !== undefined } : undefined;
  }

  private async serve(message: OutboxMessage): Promise<void> {
    const { bookmarkId, request, token } = message.payload as RequestMessage;
    const [row] = await this.persistence.bookmarks.findMany({ ids: [bookmarkId] });
    const context = restoreRequest(request, this.bodyLimits, this.keepingOf(token, row));
    try {
      const resume = { input: inputOf(context), transient: context.transient };
      if (row) return void (await this.resumer.resumeRow(row, resume, { consumedMessageIds: [message.id] }));
    } catch (error) {
      if (!isGone(error)) throw error;
    } finally {
      // What was written may hold a file open.
      context.response.reset();
    }
    this.logger.warn(`A request was handed over for bookmark '${bookmarkId}', which no longer exists.`);
    await this.persistence.outbox.delete(message.id);
  }
}
