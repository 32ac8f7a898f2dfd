/** The storage that keeps a value with the instance. */
export const INSTANCE_STORAGE = 'WorkflowInstanceStorageDriver';

/** Its older name, and the one that encrypts, keep it as well; with or without the assembly that Elsa writes. */
const KEEPING = /(^|\.)(WorkflowInstanceStorageDriver|WorkflowStorageDriver|EncryptedStorageDriver)\b/;

/** If false, a value is lost when the burst ends, such as when the workflow waits. @param driver the storage, as a definition names it */
export const isKept = (driver: unknown): boolean => typeof driver === 'string' && KEEPING.test(driver);
