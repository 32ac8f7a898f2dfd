import { type OptionKinds, optionKinds as is } from '@waymark/core/adapter';
import type { OutgoingAddressOptions } from '../client/outgoing-addresses.js';
import type { RetryStrategy } from '../client/retry-strategy.js';
import type { HttpIdSelector } from '../requests/request-ids.js';
import type { EndpointPolicy } from '../serving/endpoint-authorizer.js';
import type { WebhookSignature } from '../signatures/webhook-signature.js';
import type { EndpointOpenApiOptions, HttpWorkflowsOptions } from './http-options.js';
import type { HttpWorkflowsExtras } from './http-parts.js';

const aPolicy = is.kind<EndpointPolicy | WebhookSignature>(
  'a function, or what webhookSignature() returns',
  (value) => typeof value === 'function' || (typeof value === 'object' && value !== null && !Array.isArray(value)),
);

const aRetryStrategy = is.group<RetryStrategy>({
  id: is.required(is.filledText),
  displayName: is.text,
  maxRetryAttempts: is.whole,
  delay: is.either(is.text, is.notNegative),
  backoffType: is.anything(),
  useJitter: is.flag,
});

/** What the options `http` take. */
export const HTTP_OPTION_KINDS: OptionKinds<HttpWorkflowsOptions> = {
  basePath: is.text,
  baseUrl: is.text,
  bodyBytes: is.limit,
  defaultBodyBytes: is.limit,
  bodyValues: is.limit,
  bodyMemoryBytes: is.limit,
  uploadBytes: is.limit,
  uploadMemoryBytes: is.limitOrNone,
  uploadDiskBytes: is.limit,
  uploadDirectory: is.filledText,
  bodyIdleTimeoutMs: is.positive,
  bodyTimeoutMs: is.positive,
  answerBytesPerSecond: is.positive,
  answerMemoryBytes: is.limit,
  writeResponseSynchronously: is.flag,
  respondAsync: is.flag,
  maxWaitMs: is.notNegative,
  maxWaiting: is.limitOrNone,
  maxKeptAnswerBytes: is.limitOrNone,
  idempotencyKeys: is.flag,
  idempotencyScope: is.aFunction(),
  idempotencyKeySelectors: is.listOf(is.aFunction<HttpIdSelector>()),
  policies: is.recordOf(aPolicy),
  instanceIdSelectors: is.listOf(is.aFunction<HttpIdSelector>()),
  correlationIdSelectors: is.listOf(is.aFunction<HttpIdSelector>()),
  requestTimeoutMs: is.positive,
  maxResponseBytes: is.limit,
  maxResponseValues: is.limit,
  maxDownloadBytes: is.limit,
  maxArchiveFiles: is.limit,
  outgoing: is.group<OutgoingAddressOptions>({ addresses: is.oneOf('any', 'public'), allow: is.listOf(is.text) }),
  openApi: is.group<EndpointOpenApiOptions>({
    title: is.text,
    version: is.text,
    description: is.text,
    securityScheme: is.recordOf(is.anything<unknown>()),
  }),
  retryStrategies: is.listOf(aRetryStrategy),
};

/** What stands beside the options because it is replaced as a class. */
export const HTTP_EXTRA_KINDS: OptionKinds<HttpWorkflowsExtras> = {
  authorizer: is.aClass(),
  faultHandler: is.aClass(),
  controllerDecorators: is.listOf(is.aFunction<ClassDecorator>()),
};
