import { Req, Res } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { parseJsonText } from '@waymark/core/adapter';
import { IBookmarkQueue, IBookmarkResumer } from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { onlyLooks, RefusesHeadLikeGet } from '../answers/head-requests.js';
import { Audited } from '../audit/audited.js';
import { noteForAudit } from '../audit/request-audit.js';
import { WorkflowResponses } from '../execution/workflow-responses.js';
import { AllowAnonymous } from '../identity/permissions.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromQuery } from '../requests/bind.js';
import { BodyKind, bodyLimit } from '../requests/body-limits.js';
import type { HttpRequest } from '../requests/http-request.js';
import { isObject, memberOf } from '../requests/json-values.js';
import * as read from '../requests/readers.js';
import { hasJsonType, readText } from '../requests/request-body.js';
import { TokenService } from './token-service.js';

const resumeRequest = read.members({ t: read.name, async: read.flag, in: read.name });
type ResumeRequest = read.ReadBy<typeof resumeRequest>;
type Input = Record<string, unknown> | undefined;

/** Resumes the bookmark that a token names. Needs no other credentials: such URLs are sent in mails. */
@ApiController('bookmarks')
export class BookmarkResumeController {
  constructor(
    private readonly tokens: TokenService,
    private readonly resumer: IBookmarkResumer,
    private readonly queue: IBookmarkQueue,
    private readonly responses: WorkflowResponses,
  ) {}

  @Audited('instances.resume', { target: 'instance' })
  @AllowAnonymous()
  @RefusesHeadLikeGet()
  @ApiGet('resume')
  async get(
    @FromQuery(resumeRequest) query: ResumeRequest,
    @Req() request: HttpRequest,
    @Res() response: object,
  ): Promise<void> {
    const token = this.requireToken(query);
    const message = 'Invalid input format. Expected a valid JSON string.';
    const input = query.in === undefined ? undefined : (parsed(query.in, message) ?? undefined);
    // Not left out: the bookmark would be used up without it.
    if (input !== undefined && !isObject(input)) throw new InvalidRequestError(message);
    if (onlyLooks(request)) return this.responses.send(request, response, {});
    await this.resume(token, input, query, request, response);
  }

  @Audited('instances.resume', { target: 'instance' })
  @AllowAnonymous()
  @ApiPost('resume')
  async post(
    @FromQuery(resumeRequest) query: ResumeRequest,
    @Req() request: HttpRequest,
    @Res() response: object,
  ): Promise<void> {
    const token = this.requireToken(query);
    await this.resume(token, await readInput(request), query, request, response);
  }

  private requireToken({ t }: ResumeRequest) {
    const token = this.tokens.readBookmark(t ?? '');
    if (!token) throw new InvalidRequestError('Invalid token.');
    return token;
  }

  private async resume(
    { bookmarkId, workflowInstanceId }: { bookmarkId: string; workflowInstanceId: string },
    input: Input,
    query: ResumeRequest,
    request: HttpRequest,
    response: object,
  ): Promise<void> {
    noteForAudit(request, { actorKind: 'Link', targetIds: [workflowInstanceId], details: { bookmarkId } });
    if (query.async) {
      // One of a link: it can be followed any number of times, while the runtime is paused and after it is spent.
      const idempotencyKey = `link:${bookmarkId}`;
      await this.queue.enqueueOnce({ bookmarkId, workflowInstanceId, input, idempotencyKey });
    } else {
      const transient = this.responses.transientFor(request, response);
      try {
        await this.resumer.resumeById(bookmarkId, { workflowInstanceId, input, transient });
      } catch (error) {
        // A link may be followed again, or by two at the same moment: then there is nothing left to do, which is not an error.
        const isSpent = isWaymarkError(error, 'WM3004') || isWaymarkError(error, 'WM7002');
        if (!isSpent) throw error;
        noteForAudit(request, { outcome: 'Refused', code: error.code });
        return this.responses.sendOwn(request, response, {});
      }
    }
    await this.responses.send(request, response, {});
  }
}

async function readInput(request: HttpRequest): Promise<Input> {
  // PowerShell begins its texts with a mark of their encoding.
  const text = (await readLimited(request)).replace(/^\uFEFF/, '');
  if (text.trim() === '' || (!hasJsonType(request) && !looksLikeJson(text))) return undefined;
  const message = 'Invalid input format. Expected a valid JSON request body.';
  const maxValues = bodyLimit(request, BodyKind.Ordinary).values;
  const body = parsed(text, message, maxValues);
  if (!isObject(body)) throw new InvalidRequestError(message);
  const input = memberOf(body, 'input') ?? undefined;
  if (input !== undefined && !isObject(input)) throw InvalidRequestError.at('input', "'input' must be an object.");
  return input;
}

/**
 * JSON is the input, whatever its content type says, and must be complete: a bookmark would be used up without its input. Any other body,
 * such as the form of a page with a button, is not one. Nor is a form whose first field is called `[x]`.
 */
const looksLikeJson = (text: string): boolean =>
  /^\s*[{[]/.test(text) && !/^\s*\[[^\]\r\n"{,]*\][^\r\n"{,=]*=/.test(text);

async function readLimited(request: HttpRequest): Promise<string> {
  try {
    return await readText(request, bodyLimit(request, BodyKind.Ordinary));
  } catch (error) {
    if (isWaymarkError(error, 'WM8006')) throw new InvalidRequestError('Request body is too large.', { cause: error });
    throw error;
  }
}

function parsed(text: string, message: string, maxValues?: number): unknown {
  try {
    return parseJsonText(text, maxValues === undefined ? {} : { maxValues });
  } catch (error) {
    throw new InvalidRequestError(message, { cause: error });
  }
}
