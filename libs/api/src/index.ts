export { API_EXPOSED_HEADERS, API_METHODS, WorkflowApiModule } from './module/workflow-api.module.js';
export type {
  ApiAuthenticationOptions,
  ApiKey,
  ApiUser,
  InstalledFeature,
  LoginLimits,
  VariableType,
  WorkflowApiExtras,
  WorkflowApiOptions,
} from './module/api-options.js';
export { ApiRequestContext } from './execution/api-request-context.js';
export { Authenticator, type Principal } from './identity/authenticator.js';
export { ForbiddenError } from './answers/api-errors.js';
export { TokenService } from './bookmarks/token-service.js';
export type { BookmarkToken, EventToken } from './bookmarks/token-service.js';
