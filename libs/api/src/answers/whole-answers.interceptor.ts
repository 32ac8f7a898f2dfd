import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  StreamableFile,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { defer, mergeMap, type Observable, tap } from 'rxjs';
import { type HttpReply, type HttpRequest, rawReply, rawRequest } from '../requests/http-request.js';
import { AnswerMemory } from './answer-memory.js';
import { keepAnswerClaim } from './answer-claims.js';

const ANSWERS_WHOLE = Symbol('answers whole');

/** For routes whose answer grows with what definitions and instances hold: they take turns where it is large. */
export const AnswersWhole = (): MethodDecorator => SetMetadata(ANSWERS_WHOLE, 'answered');

/** The same for lists that read what they do not answer: what that takes is not known the next time either. */
export const ReadsWhole = (): MethodDecorator => SetMetadata(ANSWERS_WHOLE, 'read');

/** A client that reads nothing of a large answer for so long keeps others from theirs. */
const IDLE_MS = 30_000;

/** Has routes wait for memory before they read. Stands before the interceptor that writes JSON. */
@Injectable()
export class WholeAnswersInterceptor implements NestInterceptor<unknown, unknown> {
  constructor(
    private readonly reflector: Reflector,
    private readonly memory: AnswerMemory,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const kind = this.reflector.get<'answered' | 'read' | undefined>(ANSWERS_WHOLE, context.getHandler());
    if (kind === undefined) return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const response = rawReply(http.getResponse<HttpReply>());
    const { method } = rawRequest(request);
    const key = kind === 'answered' ? `${method} ${request.originalUrl ?? request.url}` : undefined;
    return defer(async () => {
      const claim = await this.memory.begin(key);
      if (response.destroyed) claim.release();
      response.once('close', () => claim.release());
      keepAnswerClaim(request, claim);
      return claim;
    }).pipe(
      mergeMap((claim) =>
        next.handle().pipe(
          tap({
            next: (answer) => {
              // What is neither a text of JSON nor a file that is complete is made while it is sent.
              claim.made(answer instanceof StreamableFile ? answer.getHeaders().length : 0);
              response.setTimeout(IDLE_MS, () => response.destroy());
            },
            error: () => claim.release(),
          }),
        ),
      ),
    );
  }
}
