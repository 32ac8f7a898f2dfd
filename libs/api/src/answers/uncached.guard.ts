import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { HttpReply } from '../requests/http-request.js';

/**
 * Keeps answers out of caches, unless a route says otherwise later: they hold what the caller's permissions let it read, tokens, or the
 * result of a link that is opened once. First of all guards, so that refusals are not kept either. Lets everything through.
 */
@Injectable()
export class UncachedGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getResponse<HttpReply>().header('Cache-Control', 'no-store');
    return true;
  }
}
