/**
 * One entry or record, its members by position. Numbers stand for texts and times; 0 is a member that is not there, and
 * zeros at the end are left out.
 */
export type Row = unknown[];

/** Version, the time that the others are counted from, texts, log, records. */
export type CompactChunk = [number, number, readonly string[], Row[], Row[]];

export const COMPACT_VERSION = 1;
