import {
  Injectable,
  StreamableFile,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { toPlainJsonInTurns } from '@waymark/core/adapter';
import { loopTurns } from '@waymark/runtime/adapter';
import { finalize, mergeMap, type Observable } from 'rxjs';
import { HIDES_SECRETS, ShownValues } from './hides-secrets.js';
import { isFastify, JSON_CHARSET, sendAsJson } from './json-type.js';
import { largeAnswer } from './large-answer.js';
import { keepAnswer } from './own-answer.js';
import { openBody } from '../requests/body-claim.js';
import { type HttpReply, rawReply } from '../requests/http-request.js';
import { AnswerReaders } from './answer-readers.js';

/** Turns answers into plain JSON: dates with an offset as .NET writes them, no members without a value. */
@Injectable()
export class WireJsonInterceptor implements NestInterceptor<unknown, unknown> {
  constructor(
    private readonly reflector: Reflector,
    private readonly shown: ShownValues,
    private readonly readers: AnswerReaders,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const hasCharset = this.reflector.get<boolean | undefined>(JSON_CHARSET, context.getHandler());
    const hidesSecrets = this.reflector.get<boolean | undefined>(HIDES_SECRETS, context.getClass());
    const endBody = openBody(context.switchToHttp().getRequest());
    return next.handle().pipe(
      mergeMap(async (answer) => {
        const http = context.switchToHttp();
        const reply = http.getResponse<HttpReply>();
        keepAnswer(reply, answer);
        if (answer instanceof StreamableFile) this.readers.watch(rawReply(reply));
        if (answer === undefined || answer instanceof StreamableFile) return answer;
        // What made the answer, making it plain and making it text go through all of it.
        await loopTurns.goOn();
        const plain = await toPlainJsonInTurns(answer, () => loopTurns.goOn());
        const json = hidesSecrets ? this.shown.of(plain) : plain;
        await loopTurns.goOn();
        keepAnswer(reply, json);
        if (typeof json !== 'object') return json;
        const type = isFastify(reply) && !hasCharset ? 'application/json' : 'application/json; charset=utf-8';
        const large = await largeAnswer(json, type, http.getRequest(), reply);
        if (large !== undefined) {
          keepAnswer(reply, large);
          this.readers.watch(rawReply(reply));
          return large;
        }
        if (!hasCharset) sendAsJson(reply);
        return json;
      }),
      finalize(endBody),
    );
  }
}
