import { Injectable } from '@nestjs/common';
import { ApiRequestContext } from '@waymark/api';
import { type HttpRequestContext, requestContextOf } from '@waymark/http';
import { WorkflowEngine } from '@waymark/runtime';

/** Lets a workflow that is run over the management API answer that request, as an HTTP-triggered one answers its own. */
@Injectable()
export class ApiHttpContext extends ApiRequestContext {
  private readonly contexts = new WeakMap<object, HttpRequestContext>();

  constructor(private readonly engine: WorkflowEngine) {
    super();
  }

  transientFor(request: object, response: object): Iterable<readonly [unknown, unknown]> {
    const context = requestContextOf(request, response, this.engine.runner.engine.redaction || undefined);
    this.contexts.set(response, context);
    return context.transient;
  }

  async responded(response: object): Promise<boolean> {
    const writer = this.contexts.get(response)?.response;
    if (!writer?.isWritten) return false;
    await writer.send();
    return true;
  }
}
