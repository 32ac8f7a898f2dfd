export { API_EXPOSED_HEADERS, API_METHODS, WorkflowApiModule } from './module/workflow-api.module.js';
export type {
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
} from './module/api-options.js';
export { ApiRequestContext } from './execution/api-request-context.js';
export { isManagementApi } from './requests/is-management-api.js';
export { Authenticator, type Principal } from './identity/authenticator.js';
export { UserTaskIdentity } from './user-tasks/user-task-identity.js';
export { ForbiddenError, UnauthenticatedError } from './answers/api-errors.js';
export { TokenService } from './bookmarks/token-service.js';
export type { BookmarkToken, EventToken } from './bookmarks/token-service.js';
export { mountElsaStudio } from './elsa-studio/mount-elsa-studio.js';
export type { ElsaStudioOptions } from './elsa-studio/mount-elsa-studio.js';
export { ManagementOpenApi } from './openapi/management-open-api.js';
