/** Instances or dead letters of one batch, and of one transaction where they are deleted: it locks nothing for long. */
export const BULK_BATCH = 200;

/** Enough for their commits to share transactions, and few enough to leave connections to what else the node does. */
export const BULK_CONCURRENCY = 16;
