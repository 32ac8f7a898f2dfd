export type { HttpWorkflowsExtras } from './module/http-parts.js';
export type { EndpointOpenApiOptions, HttpWorkflowsOptions } from './module/http-options.js';
export type { HttpCustomProperties } from './endpoint/http-custom-properties.js';
export { HttpEndpoint } from './endpoint/http-endpoint.js';
export {
  EndpointInputError,
  EndpointPathError,
  RequestRejectedError,
  ReservedInstanceIdError,
} from './endpoint/endpoint-errors.js';
export { RouteTemplateError } from './routing/route-template-error.js';
export { UpdateRouteTable } from './routing/update-route-table.js';
export { HttpRequestContext } from './requests/http-request-context.js';
export { type CredentialNames, requestContextOf } from './requests/adapter-exchange.js';
export { HttpRequest } from './requests/http-request.js';
export type { TextMap } from './requests/multi-map.js';
export type { HttpRequestData } from './requests/http-request.js';
export type { IdempotencyScope } from './idempotency/idempotency-key.js';
export { WebhookSignature, webhookSignature } from './signatures/webhook-signature.js';
export type { WebhookSignatureOptions, WebhookStyle } from './signatures/webhook-signature.js';
export type { HttpIdSelector } from './requests/request-ids.js';
export { isHttpFile, openHttpFile } from './requests/http-file.js';
export type { HttpFile } from './requests/http-file.js';
export { RejectionOutcome } from './requests/rejection.js';
export { BodyTimeoutError, RequestAbortedError } from '@waymark/runtime';
export { UploadGoneError, UploadStorageError } from './uploads/upload-errors.js';
export { ContentSyntaxError } from './requests/parse-content.js';
export { WriteHttpResponse } from './responses/write-http-response.js';
export { WriteFileHttpResponse } from './responses/write-file-http-response.js';
export { TooManyFilesError } from './responses/too-many-files-error.js';
export { SecretInAnswerError } from './responses/answer-secrets.js';
export { UnsendableResponseError } from './responses/sendable.js';
export { BadRequestHeaderError } from './responses/conditional-request.js';
export { HttpEndpointAuthorizer, RequestUserAuthorizer } from './serving/endpoint-authorizer.js';
export type { EndpointAccess, EndpointPolicy } from './serving/endpoint-authorizer.js';
export { getWorkflowRoute } from './serving/workflow-route.js';
export type { WorkflowRoute, WorkflowRouteActivity } from './serving/workflow-route.js';
export { RateLimitFormatError, ThrottlerMissingError } from './throttling/endpoint-rate-limit.js';
export type { EndpointRateLimit } from './throttling/endpoint-rate-limit.js';
export { DetailedFaultHandler, HttpFaultHandler, StatusFaultHandler } from './serving/fault-handler.js';
export { WorkflowOpenApi } from './openapi/workflow-open-api.js';
export { SendHttpRequest } from './client/send-http-request.js';
export { FlowSendHttpRequest } from './client/flow-send-http-request.js';
export { DownloadHttpFile } from './client/download-http-file.js';
export { RequestSender } from './client/request-sender.js';
export type { RequestDescription, SendResult } from './client/request-sender.js';
export { OutgoingHttp } from './client/outgoing-http.js';
export type { RetryStrategy } from './client/retry-strategy.js';
export type { OutgoingAddressOptions } from './client/outgoing-addresses.js';
export {
  ConnectionFailedError,
  ContentCodingError,
  FileNotFetchedError,
  InvalidOutgoingRequestError,
  OutgoingAddressRefusedError,
  OutgoingTimeoutError,
} from './client/outgoing-errors.js';
export type { PreparedResponse } from './responses/http-response-writer.js';
export { HttpResponseWriter } from './responses/http-response-writer.js';
