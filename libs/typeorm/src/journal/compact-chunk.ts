import type { RecordPart } from '@waymark/core/adapter';
import type { PlacedReference } from '@waymark/runtime/adapter';

/**
 * One entry or record, its members by position. Numbers stand for texts and times; 0 is a member that is not there, and
 * zeros at the end are left out.
 */
export type Row = unknown[];

/**
 * Version, the time that the others are counted from, texts, log, records; and where values were that stand beside the
 * journal. Nodes of a version that does not know them show placeholders.
 */
export type CompactChunk = [number, number, readonly string[], Row[], Row[], (readonly PlacedReference[])?];

/** Bits of the member that says what is unchanged in a record. */
export const UNCHANGED_PARTS: readonly RecordPart[] = ['activityState', 'outputs'];

export const COMPACT_VERSION = 1;
