import { Inject, Injectable } from '@nestjs/common';
import { WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import { NamedSecrets, RUNTIME_OPTIONS, type ResolvedRuntimeOptions, WorkflowLogger } from '@waymark/runtime/adapter';
import type { HttpEndpointPayload } from '../endpoint/endpoint-payload.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import type { HttpRequest } from '../requests/http-request.js';
import { jsonResponse } from '../requests/rejection.js';
import type { PreparedResponse } from '../responses/http-response-writer.js';
import { WebhookSignature } from './webhook-signature.js';

/** Whose endpoint it is: of a definition, or of an instance that waits. */
export interface SignedEndpoint {
  readonly workflowDefinitionId?: string;
  readonly workflowInstanceId?: string;
}

/** Checks the signatures of requests to endpoints whose policy is one. */
@Injectable()
export class WebhookSignatures {
  private readonly logger = new WorkflowLogger('WebhookSignatures');
  private readonly secrets: NamedSecrets;

  constructor(
    private readonly clock: WorkflowClock,
    private readonly persistence: WorkflowPersistence,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
    @Inject(RUNTIME_OPTIONS) { secrets, allowedSecrets }: ResolvedRuntimeOptions,
  ) {
    this.secrets = new NamedSecrets(secrets, allowedSecrets, this.clock);
  }

  /** The signature that an endpoint asks for; undefined when its policy is not a signature. */
  of({ policy }: HttpEndpointPayload): WebhookSignature | undefined {
    const found = policy !== undefined && Object.hasOwn(this.options.policies, policy) && this.options.policies[policy];
    return found instanceof WebhookSignature ? found : undefined;
  }

  /** The refusal of a request without a signature: before its body is read, which would take memory from those who have one. */
  refusalUnread(signature: WebhookSignature, request: HttpRequest): PreparedResponse | undefined {
    return signature.isMissing(request) ? refused('missing') : undefined;
  }

  /**
   * The refusal of a request that is not signed as it has to be.
   * @param body as it came; undefined: only what a parser made of it is left
   * @throws SecretNotFoundError, SecretNotAllowedError
   */
  async refusal(
    signature: WebhookSignature,
    request: HttpRequest,
    body: Uint8Array | undefined,
    endpoint: SignedEndpoint,
  ): Promise<PreparedResponse | undefined> {
    if (!body) {
      this.logger.error(
        `The signature of ${request.method} ${request.path} cannot be checked: a body parser of the application has already read the body. ` +
          "Create the application with 'rawBody: true'.",
      );
      return refused('not valid');
    }
    const definitionId = await this.definitionOf(endpoint);
    const keys: string[] = [];
    for (const name of signature.secrets) keys.push(await this.secrets.findFor(name, definitionId));
    const fault = await signature.faultOf(request, body, keys, this.clock.now());
    return fault && refused(fault);
  }

  private async definitionOf({ workflowDefinitionId, workflowInstanceId }: SignedEndpoint): Promise<string> {
    if (workflowDefinitionId !== undefined) return workflowDefinitionId;
    const { items } = await this.persistence.instances.findMany({ ids: [workflowInstanceId ?? ''] });
    return items[0]?.definitionId ?? '';
  }
}

const refused = (fault: string): PreparedResponse =>
  jsonResponse(401, {
    code: 'WM5047',
    message: `The signature of the request is ${fault}. Sign the body exactly as it is sent, with the secret of the receiver.`,
  });
