import { Req } from '@nestjs/common';
import { ResourceNotFoundError, UnauthenticatedError } from '../answers/api-errors.js';
import { Audited, NotAudited } from '../audit/audited.js';
import { leaveOutOfAudit, noteForAudit } from '../audit/request-audit.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromSmallBody } from '../requests/bind.js';
import { clientAddress, type HttpRequest } from '../requests/http-request.js';
import * as read from '../requests/readers.js';
import { principalOf } from './api-auth.guard.js';
import { Authenticator, type LoginAnswer } from './authenticator.js';
import { AllowAnonymous, RequiresRefreshToken } from './permissions.js';

const credentials = read.members({ username: read.required(read.text), password: read.required(read.text) });
type Credentials = read.ReadBy<typeof credentials>;

/** Whom the credentials of a request are of, as the API answers. */
interface Caller {
  readonly kind: 'User' | 'ApiKey' | 'Anonymous';
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

/** Of a server without logins. */
const ANYBODY: Caller = { kind: 'Anonymous', id: 'anonymous', name: 'anonymous', roles: [], permissions: ['*'] };

/** Logging in. Wrong credentials are an answer, not an error, as clients of the reference expect. */
@ApiController('identity')
export class IdentityController {
  constructor(private readonly authenticator: Authenticator) {}

  @Audited('identity.login', { target: 'user' })
  @AllowAnonymous()
  @ApiPost('login')
  login(@FromSmallBody(credentials) { username, password }: Credentials, @Req() request: HttpRequest): LoginAnswer {
    // Studio shows its login first, whatever the server is.
    if (this.authenticator.isOpen) {
      leaveOutOfAudit(request);
      return this.authenticator.anonymousLogin(username, password);
    }
    // With keys only there is nothing to log in to.
    if (!this.authenticator.hasUsers) throw new ResourceNotFoundError('login', username);
    // Names that are none are not kept: people type passwords there.
    const actor = this.authenticator.knows(username) ? username : undefined;
    noteForAudit(request, { targetIds: actor === undefined ? [] : [actor] });
    const answer = this.authenticator.login(username, password, clientAddress(request));
    if (answer.isAuthenticated) noteForAudit(request, { actor, actorKind: 'User' });
    else noteForAudit(request, { outcome: 'Refused', code: 'WM8004' });
    return answer;
  }

  /** For pages that the application logs people in to: they know nothing of the credentials that go with their requests. */
  @ApiGet('me')
  me(@Req() request: HttpRequest): Caller {
    const principal = principalOf(request);
    if (!principal) return ANYBODY;
    const { kind, id, name, roles, permissions } = principal;
    return { kind, id, name, roles, permissions };
  }

  @NotAudited('what was begun by a login continues')
  @RequiresRefreshToken()
  @ApiPost('refresh-token')
  refresh(@Req() request: HttpRequest): LoginAnswer {
    if (this.authenticator.isOpen) return this.authenticator.anonymousTokens();
    const principal = principalOf(request);
    if (!principal) throw new UnauthenticatedError('Bearer');
    return this.authenticator.refresh(principal);
  }
}
