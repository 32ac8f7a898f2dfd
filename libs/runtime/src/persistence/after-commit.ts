import { CommitOutcomeUnknownError, isOutageOfCall, isStoreOutage } from './persistence-errors.js';

/**
 * Does what follows a commit, or a part of work that may be committed in parts. A caller that gets StoreUnavailableError knows that nothing
 * was changed and may repeat its request, which would be done twice.
 * @param isCommitted whether anything is stored by the time of an outage. @default it is
 * @throws CommitOutcomeUnknownError in place of another outage of the store
 */
export async function afterCommit<T>(task: () => Promise<T>, isCommitted = () => true): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!isStoreOutage(error) || !isCommitted()) throw error;
    throw new CommitOutcomeUnknownError('The store failed after a part of the change was stored.', {
      cause: error,
      isOfCall: isOutageOfCall(error),
    });
  }
}
