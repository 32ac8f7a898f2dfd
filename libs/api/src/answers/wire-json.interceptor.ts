import {
  Injectable,
  StreamableFile,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { toPlainJson } from '@waymark/core';
import { map, type Observable } from 'rxjs';
import { HIDES_SECRETS, ShownValues } from './hides-secrets.js';
import { JSON_CHARSET, sendAsJson } from './json-type.js';

/** Turns answers into plain JSON: dates with an offset as .NET writes them, no members without a value. */
@Injectable()
export class WireJsonInterceptor implements NestInterceptor<unknown, unknown> {
  constructor(
    private readonly reflector: Reflector,
    private readonly shown: ShownValues,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const hasCharset = this.reflector.get<boolean | undefined>(JSON_CHARSET, context.getHandler());
    const hidesSecrets = this.reflector.get<boolean | undefined>(HIDES_SECRETS, context.getClass());
    return next.handle().pipe(
      map((answer) => {
        if (answer === undefined || answer instanceof StreamableFile) return answer;
        const plain = toPlainJson(answer);
        const json = hidesSecrets ? this.shown.of(plain) : plain;
        if (typeof json === 'object' && !hasCharset) sendAsJson(context.switchToHttp().getResponse());
        return json;
      }),
    );
  }
}
