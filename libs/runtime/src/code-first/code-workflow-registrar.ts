import { Injectable } from '@nestjs/common';

/** Placeholder of the integration: replaced by the code-first work in progress. */
@Injectable()
export class CodeWorkflowRegistrar {
  registerAll(_explorer: unknown): Promise<void> {
    return Promise.resolve();
  }
}
