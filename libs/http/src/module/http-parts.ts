import type { InjectionToken, Provider, Type } from '@nestjs/common';
import { checkValues } from '@waymark/core/adapter';
import { OutgoingHttp } from '../client/outgoing-http.js';
import { RequestSender } from '../client/request-sender.js';
import { HttpEndpointTriggerPayloadValidator } from '../endpoint/endpoint-payload-validator.js';
import { HttpPropertyRules } from '../endpoint/http-property-rules.js';
import { IdempotentStarts } from '../idempotency/idempotent-starts.js';
import { AnswerWatch } from '../pending/answer-watch.js';
import { PendingRequests } from '../pending/pending-requests.js';
import { EndpointDocuments } from '../openapi/endpoint-documents.js';
import { WorkflowOpenApi } from '../openapi/workflow-open-api.js';
import { EndpointPatterns } from '../routing/endpoint-patterns.js';
import { RouteTable } from '../routing/route-table.js';
import { UpdateRouteTable } from '../routing/update-route-table.js';
import { WebhookSignatures } from '../signatures/webhook-signatures.js';
import { EndpointThrottle } from '../throttling/endpoint-throttle.js';
import { EndpointAdmission } from '../serving/endpoint-admission.js';
import { HttpEndpointAuthorizer, RequestUserAuthorizer } from '../serving/endpoint-authorizer.js';
import { HttpFaultHandler, StatusFaultHandler } from '../serving/fault-handler.js';
import { EndpointWaits } from '../serving/endpoint-waits.js';
import { EndpointFinder } from '../serving/find-endpoint.js';
import { EndpointVersions } from '../serving/endpoint-versions.js';
import { HandedOverRequests } from '../serving/handed-over-requests.js';
import { HttpMount } from '../serving/http-mount.js';
import { createHttpWorkflowsController, HTTP_CONTROLLER } from '../serving/http-workflows-controller.js';
import { HttpMountPath } from '../serving/mount-path.js';
import { WorkflowEndpoints } from '../serving/workflow-endpoints.js';
import { WorkflowRoutes } from '../serving/workflow-routes.js';
import { UploadFiles } from '../uploads/upload-files.js';
import { EndpointDescriptor } from './endpoint-descriptor.js';
import { OfferedRetries } from './offered-retries.js';
import { httpActivities } from './http-activities.js';
import { HTTP_EXTRA_KINDS } from './http-option-kinds.js';
import { HTTP_OPTIONS } from './http-options.js';

/** Classes that replace defaults; they must be known when the module is declared. */
export interface HttpWorkflowsExtras {
  /** Decides about requests to endpoints with `authorize`. @default requires `request.user` */
  authorizer?: Type<HttpEndpointAuthorizer> | undefined;
  /** Answers requests whose workflow failed. @default a status without content */
  faultHandler?: Type<HttpFaultHandler> | undefined;
  /** Decorators for the controller of all endpoints, e.g. one that exempts it from a global guard. @default none */
  controllerDecorators?: readonly ClassDecorator[] | undefined;
}

/** Nest keeps what is named here out of the options. */
export const NO_EXTRAS: Readonly<Record<keyof HttpWorkflowsExtras, undefined>> = {
  authorizer: undefined,
  faultHandler: undefined,
  controllerDecorators: undefined,
};

/** Providers and controllers for a module that composes this library; it has to provide `HTTP_OPTIONS` itself. */
export interface HttpParts {
  /** All providers of the library but its options. */
  readonly providers: readonly Provider[];
  /** The controller of all endpoints. */
  readonly controllers: readonly Type[];
  /** Those of the providers that other modules may inject. */
  readonly exports: readonly InjectionToken[];
}

/**
 * New parts for one module: its controller learns its path from that module's options.
 * @throws InvalidOptionError (`WM1090`)
 */
export function httpParts(extras: HttpWorkflowsExtras = {}): HttpParts {
  checkValues({ name: 'WorkflowModule' }, extras, HTTP_EXTRA_KINDS);
  const controller = createHttpWorkflowsController(extras.controllerDecorators);
  return {
    controllers: [controller],
    exports: [
      HTTP_OPTIONS,
      HttpEndpointTriggerPayloadValidator,
      OutgoingHttp,
      RequestSender,
      RouteTable,
      UpdateRouteTable,
      WorkflowOpenApi,
    ],
    providers: [
      { provide: HTTP_CONTROLLER, useValue: controller },
      { provide: HttpEndpointAuthorizer, useClass: extras.authorizer ?? RequestUserAuthorizer },
      { provide: HttpFaultHandler, useClass: extras.faultHandler ?? StatusFaultHandler },
      RouteTable,
      UpdateRouteTable,
      EndpointPatterns,
      EndpointWaits,
      EndpointFinder,
      EndpointVersions,
      HandedOverRequests,
      AnswerWatch,
      IdempotentStarts,
      WebhookSignatures,
      PendingRequests,
      EndpointThrottle,
      UploadFiles,
      EndpointAdmission,
      WorkflowEndpoints,
      WorkflowRoutes,
      HttpMountPath,
      HttpMount,
      EndpointDescriptor,
      { provide: WorkflowOpenApi, useClass: EndpointDocuments },
      OutgoingHttp,
      RequestSender,
      OfferedRetries,
      HttpEndpointTriggerPayloadValidator,
      HttpPropertyRules,
      ...httpActivities,
    ],
  };
}
