import { queryOptions, skipToken } from '@tanstack/react-query';
import { type Instance, instanceQuery, instancesKey } from '../api/instances.js';
import { toApiError } from '../api/api-error.js';

/** Of a circle, or of a tower of workflows that start each other, the nearest are shown. */
const MOST = 10;

/** Who started it, and who started that one; the first of them first. Those that were deleted end the line. */
export const ancestorsQuery = (parentId: string | undefined) =>
  queryOptions({
    queryKey: [...instancesKey, 'list', 'ancestors', parentId],
    queryFn:
      parentId === undefined
        ? skipToken
        : async ({ client }) => {
            const found: Instance[] = [];
            let next: string | undefined = parentId;
            while (next !== undefined && found.length < MOST) {
              try {
                const instance: Instance = await client.fetchQuery(instanceQuery(next));
                found.unshift(instance);
                next = instance.parentWorkflowInstanceId;
              } catch (error) {
                if (toApiError(error).status !== 404) throw error;
                next = undefined;
              }
            }
            return found;
          },
  });
