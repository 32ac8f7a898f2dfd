import { type OptionKinds, optionKinds as is } from '@waymark/core/adapter';
import type {
  ApiAuditOptions,
  ApiAuthenticationOptions,
  ApiKey,
  ApiUser,
  HubOptions,
  InstalledFeature,
  LoginLimits,
  VariableType,
  WorkflowApiExtras,
  WorkflowApiOptions,
} from './api-options.js';

const MOST_CONNECTIONS = 10_000;
const MOST_BYTES = 256 * 1024 * 1024;

const aCount = is.wholeFrom(0, MOST_CONNECTIONS);
const bytes = (least: number) =>
  is.kind<number>(
    `a whole number of bytes from ${least} to ${MOST_BYTES} (256 MB)`,
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= MOST_BYTES,
    true,
  );
const some = is.kind<number>(
  'a whole number of 1 or more',
  (value) => Number.isSafeInteger(value) && (value as number) >= 1,
  true,
);
const aKey = is.secretFrom(32);

const aUser = is.group<ApiUser>({
  name: is.required(is.filledText),
  password: is.required(is.credential),
  id: is.filledText,
  permissions: is.listOf(is.text),
  roles: is.listOf(is.text),
});

const anApiKey = is.group<ApiKey>({
  key: is.required(is.credential),
  name: is.filledText,
  permissions: is.listOf(is.text),
});

const authentication = is.group<ApiAuthenticationOptions>({
  users: is.listOf(aUser),
  apiKeys: is.listOf(is.either(anApiKey, is.credential)),
  applicationPermissions: is.listOf(is.filledText),
  signingKey: aKey,
  issuer: is.filledText,
  audience: is.filledText,
  accessTokenLifetimeMs: is.positive,
  refreshTokenLifetimeMs: is.positive,
  loginLimits: is.orFalse(is.group<LoginLimits>({ accountFailures: some, addressFailures: some })),
});

const aFeature = is.group<InstalledFeature>({
  name: is.required(is.filledText),
  namespace: is.text,
  displayName: is.text,
  description: is.text,
});

const aVariableType = is.group<VariableType>({
  typeName: is.required(is.filledText),
  displayName: is.required(is.filledText),
  category: is.required(is.text),
  description: is.text,
});

/** What the options of `WorkflowApiModule` take. */
export const API_OPTION_KINDS: OptionKinds<WorkflowApiOptions> = {
  authentication,
  allowAnonymous: is.flag,
  readOnly: is.flag,
  urlTokenKey: aKey,
  publicUrl: is.text,
  synchronousBulkLimit: aCount,
  features: is.listOf(aFeature),
  variableTypes: is.listOf(aVariableType),
  packageVersion: is.text,
  journalAnswerBytes: bytes(0),
  journalExportBytes: bytes(0),
  bodyBytes: bytes(1),
  bodyValues: some,
  definitionBytes: bytes(1),
  importBytes: bytes(1),
  importValues: some,
  importFiles: some,
  answerMemoryBytes: some,
  answerBytesPerSecond: some,
  bodyIdleTimeoutMs: some,
  bodyTimeoutMs: some,
  liveClients: aCount,
  liveClientsPerUser: aCount,
  liveBufferBytes: bytes(4096),
  hub: is.orFalse(is.group<HubOptions>({ connections: aCount, connectionsPerUser: aCount })),
  audit: is.orFalse(is.group<ApiAuditOptions>({ except: is.listOf(is.text), refusalsPerHour: aCount })),
};

/** What stands beside them, because Nest must know it before anything asynchronous. */
export const API_EXTRA_KINDS: OptionKinds<WorkflowApiExtras> = { routePrefix: is.text };
