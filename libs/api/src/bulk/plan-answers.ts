import type { ApiPath } from '../requests/api-path.js';
import type { HttpReply } from '../requests/http-request.js';

/** Where the progress of a bulk plan is. */
export const bulkPlanPath = ({ base }: ApiPath, planId: string): string =>
  `${base}/bulk-actions/plans/${encodeURIComponent(planId)}`;

/** The work continues in the background: 202, with the address of its progress. */
export function accepted(reply: HttpReply, location: string): void {
  reply.status(202);
  reply.header('Location', location);
}
