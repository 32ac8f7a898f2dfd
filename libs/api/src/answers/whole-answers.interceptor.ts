import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  StreamableFile,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { isWaymarkError } from '@waymark/core';
import { StoreHealth, StoreUnavailableError } from '@waymark/runtime';
import { isStoreOutage, whenClosed } from '@waymark/runtime/adapter';
import { defer, mergeMap, type Observable, of, tap } from 'rxjs';
import { principalOf } from '../identity/api-auth.guard.js';
import { ownerOf } from '../identity/owner-of.js';
import { clientAddress, type HttpReply, type HttpRequest, rawReply } from '../requests/http-request.js';
import { keepAnswerClaim } from './answer-claims.js';
import { answerKey } from './answer-key.js';
import { type AnswerClaim, AnswerMemory } from './answer-memory.js';

const ANSWERS_WHOLE = Symbol('answers whole');

/** For routes whose answer grows with what definitions and instances hold: they take turns where it is large. */
export const AnswersWhole = (): MethodDecorator => SetMetadata(ANSWERS_WHOLE, 'answered');

/** The same for lists that read what they do not answer: what that takes is not known the next time either. */
export const ReadsWhole = (): MethodDecorator => SetMetadata(ANSWERS_WHOLE, 'read');

/** A client that reads nothing of a large answer for so long keeps others from theirs. */
const IDLE_MS = 30_000;

/** Listeners that others add to the response of a file. */
const OTHERS = 10;

/** Has routes wait for memory before they read. Stands before the interceptor that writes JSON. */
@Injectable()
export class WholeAnswersInterceptor implements NestInterceptor<unknown, unknown> {
  constructor(
    private readonly reflector: Reflector,
    private readonly memory: AnswerMemory,
    private readonly health: StoreHealth,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const kind = this.reflector.get<'answered' | 'read' | undefined>(ANSWERS_WHOLE, context.getHandler());
    if (kind === undefined) return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const response = rawReply(http.getResponse<HttpReply>());
    const key = kind === 'answered' ? answerKey(context) : undefined;
    return defer(async () => {
      // The client has left. Nest needs a value where it waits for one.
      if (response.destroyed) return undefined;
      // Of an answer that is a file, Nest, Fastify and Node wait for the end nine times. With one of ours, Node would warn of a leak at the
      // first that the application adds.
      if (response.getMaxListeners() > 0) response.setMaxListeners(response.getMaxListeners() + OTHERS);
      const left = new AbortController();
      const stay = whenClosed(response, () => left.abort());
      const claim = await this.begin(key, left.signal, ownerOf(principalOf(request), clientAddress(request)));
      if (response.destroyed) {
        claim.release();
        return undefined;
      }
      stay();
      whenClosed(response, () => claim.release());
      keepAnswerClaim(request, claim);
      return claim;
    }).pipe(
      mergeMap((claim) => {
        if (!claim) return of(undefined);
        return next.handle().pipe(
          tap({
            next: (answer) => {
              // What is neither a text of JSON nor a file that is complete is made while it is sent.
              claim.made(answer instanceof StreamableFile ? answer.getHeaders().length : 0);
              response.setTimeout(IDLE_MS, () => response.destroy());
            },
            error: (error) => {
              claim.release();
              if (isStoreOutage(error)) void this.refuseWaiting();
            },
          }),
        );
      }),
    );
  }

  /** @throws AnswerMemoryError, unless what it has waited for are answers that wait for the store themselves: StoreUnavailableError */
  private async begin(key: string | undefined, left: AbortSignal, owner: string): Promise<AnswerClaim> {
    try {
      return await this.memory.begin(key, left, owner);
    } catch (error) {
      throw isWaymarkError(error, 'WM5080') && (await this.isStoreGone()) ? unavailable() : error;
    }
  }

  /** What waits would find out one after the other that the store does not answer. */
  private async refuseWaiting(): Promise<void> {
    if (await this.isStoreGone()) this.memory.refuse(unavailable());
  }

  private async isStoreGone(): Promise<boolean> {
    return (await this.health.check()) === 'unreachable';
  }
}

const unavailable = (): StoreUnavailableError =>
  new StoreUnavailableError('The store does not answer, and other answers wait for it already.');
