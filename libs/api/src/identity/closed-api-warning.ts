import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import { CLOSED_API } from './api-auth.guard.js';
import { Authenticator } from './authenticator.js';

/** Says at the start what would otherwise be found out by the first request. */
@Injectable()
export class ClosedApiWarning implements OnApplicationBootstrap {
  constructor(private readonly authenticator: Authenticator) {}

  onApplicationBootstrap(): void {
    if (this.authenticator.isClosed) new WorkflowLogger('WorkflowApiModule').warn(CLOSED_API);
  }
}
