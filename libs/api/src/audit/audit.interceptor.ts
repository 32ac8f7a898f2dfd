import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { mergeMap, type Observable } from 'rxjs';
import type { HttpRequest } from '../requests/http-request.js';
import { RequestAudit } from './request-audit.js';

/** Records what was done, before the answer goes out. What failed is recorded by the filter that answers it. */
@Injectable()
export class AuditInterceptor implements NestInterceptor<unknown, unknown> {
  constructor(private readonly audit: RequestAudit) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    return next.handle().pipe(
      mergeMap(async (answer) => {
        await this.audit.succeeded(request, answer);
        return answer;
      }),
    );
  }
}
