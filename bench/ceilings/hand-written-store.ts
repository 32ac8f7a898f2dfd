export interface HandWrittenInstance {
  readonly id: string;
  readonly correlationId: string;
  readonly state: string;
}

/**
 * Waiting as a developer would write it who has one workflow: a row for the instance, a row for what it waits for. It
 * does not read: the ceiling knows which instance it resumes and what its state was.
 */
export interface HandWrittenStore {
  /** One transaction: insert the instance, insert what it waits for. */
  suspend(instance: HandWrittenInstance): unknown;
  /** One transaction: delete what it waited for, found by correlation, and update the instance. */
  resume(instance: HandWrittenInstance): unknown;
  /** Many waiting instances, in as few transactions as possible. */
  seed(instances: readonly HandWrittenInstance[]): unknown;
  close(): unknown;
}

/** What every instance waits for. */
export const HASH = '4C27CED44D946B81818F5644DE88C66F128C3402F65C7C567331D088E920E9B3';

export function createTables(prefix: string, { longText, bigInt }: { longText: string; bigInt: string }): string[] {
  return [
    `create table ${prefix}instance (id varchar(64) primary key, correlation_id varchar(100), status varchar(20), state ${longText}, created_at ${bigInt}, updated_at ${bigInt})`,
    `create table ${prefix}bookmark (id varchar(64) primary key, hash varchar(64), correlation_id varchar(100), instance_id varchar(64), created_at ${bigInt})`,
    `create index ${prefix}bookmark_hash on ${prefix}bookmark (hash, correlation_id)`,
  ];
}

/** The four statements, with `?` for values. */
export function statements(prefix: string) {
  return {
    insertInstance: `insert into ${prefix}instance (id, correlation_id, status, state, created_at, updated_at) values (?, ?, 'Suspended', ?, ?, ?)`,
    insertBookmark: `insert into ${prefix}bookmark (id, hash, correlation_id, instance_id, created_at) values (?, ?, ?, ?, ?)`,
    deleteBookmark: `delete from ${prefix}bookmark where hash = ? and correlation_id = ?`,
    updateInstance: `update ${prefix}instance set status = 'Finished', state = ?, updated_at = ? where id = ?`,
  };
}

/** A bookmark that is not there was consumed by another caller: the resume must not continue. */
export function requireOne(affected: number | null): void {
  if (affected !== 1) throw new Error('The bookmark is gone.');
}
