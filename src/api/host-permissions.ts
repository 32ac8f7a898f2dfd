import type { Principal } from '@waymark/api';

/** What those who log in at the management API may do at the host's own routes; `*` is everything, there too. */
export const HostPermission = {
  /** Deciding on leave requests. */
  DecideLeave: 'decide:leave-requests',
  /** Calling endpoints of workflows that ask for authorisation and name no policy. */
  CallEndpoints: 'call:http-endpoints',
  /** Reading what the server answers; the management API has the same two. */
  ReadOpenApi: 'read:openapi',
  ReadAll: 'read:*',
} as const;

/** What users may have beside the permissions of the management API. */
export const HOST_PERMISSIONS: readonly string[] = [
  HostPermission.DecideLeave,
  HostPermission.CallEndpoints,
  'policy:*',
];

/** An endpoint's policy is a permission: `managers` asks for `policy:managers`. */
export const permissionOf = (policy: string | undefined): string =>
  policy === undefined ? HostPermission.CallEndpoints : `policy:${policy}`;

export const holds = ({ permissions }: Principal, permission: string): boolean =>
  permissions.includes('*') || permissions.includes(permission);
