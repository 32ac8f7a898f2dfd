import { deserialize } from '@waymark/core/adapter';
import { JournalReference, type JournalValue } from './journal-values.js';

/** What a value was that the journal did not keep, by its JSON. */
export type OmittedKind = 'text' | 'list' | 'object' | 'bytes' | 'other';

/**
 * Stands in a log entry or record for a large value that was not kept, because the journal of its instance had as many bytes of large
 * values as the option `maxJournalBytes` of the store allows.
 */
export class OmittedJournalValue extends JournalReference {
  constructor(
    hash: string,
    bytes: number,
    /** What it was. */
    readonly kind: OmittedKind,
    /** The first characters of its JSON. */
    readonly start: string,
  ) {
    super(hash, bytes);
  }

  /** How it stands in answers of the API. */
  override toJSON(): object {
    const { hash, bytes, kind, start } = this;
    return { omittedValue: hash, bytes, kind, start };
  }
}

/** Characters of the JSON that a note shows. */
const START = 200;
/** More than any note takes, and less than most values: only such a text is looked at twice. */
const LONGEST_NOTE = 4 * START + 400;
const JSON_BEGINS = '{"json":'.length;
const IS_OMITTED = ',"omitted":true}';
const KINDS: Readonly<Record<string, OmittedKind>> = { '"': 'text', '[': 'list', '{': 'object' };
/** Where the text of a value ends that is bytes as a whole. */
const ENDS_AS_BYTES = /"meta":\{"values":\[\["custom","bytes"\]\][^[\]]*$/;

/**
 * What is stored in place of a value: a text that no value has, which nodes of the version before, that do not know it, read as an
 * object with what is known of the value.
 */
export function noteOfOmitted({ hash, bytes, text }: JournalValue): JournalValue {
  const begins = KINDS[text[JSON_BEGINS] ?? ''] ?? 'other';
  // Bytes are text in JSON: an object may end like their note by its members.
  const kind = begins === 'text' && ENDS_AS_BYTES.test(text.slice(-100)) ? 'bytes' : begins;
  const start = text.slice(JSON_BEGINS, JSON_BEGINS + START).replace(/[\ud800-\udbff]$/, '');
  const json = JSON.stringify(new OmittedJournalValue(hash, bytes, kind, start));
  const note = `{"json":${json}${IS_OMITTED}`;
  return { hash, bytes: Buffer.byteLength(note), text: note };
}

/** A value, or an `OmittedJournalValue`, from what is stored of it. @throws StoredValueError */
export function readJournalValue(text: string): unknown {
  if (text.length > LONGEST_NOTE || !text.endsWith(IS_OMITTED)) return deserialize(text);
  const { json, omitted } = JSON.parse(text) as { json: ReturnType<OmittedJournalValue['toJSON']>; omitted?: true };
  if (omitted !== true) return deserialize(text);
  const { omittedValue, bytes, kind, start } = json as { omittedValue: string } & OmittedJournalValue;
  return new OmittedJournalValue(omittedValue, bytes, kind, start);
}

/** How many bytes of large values the journal of an instance may still keep. */
export class JournalBudget {
  constructor(
    /** In all. */
    private readonly most: number,
    /** What it has already; grows by what is taken. */
    public kept = 0,
  ) {}

  /** What is stored of a value that the instance does not have yet: it, or a note of it where it is too much. */
  take(value: JournalValue): JournalValue {
    const stored = this.kept + value.bytes > this.most ? noteOfOmitted(value) : value;
    this.kept += stored.bytes;
    return stored;
  }
}

/** Default of the option `maxJournalBytes` of stores: 64 MB. */
export const DEFAULT_MAX_JOURNAL_BYTES = 64 * 1024 * 1024;

/** What the option `maxJournalBytes` of stores must be, for their errors. */
export const MAX_JOURNAL_BYTES = 'a whole number of bytes, 0 or more';

/** Whether a store can take that as its option `maxJournalBytes`. */
export function isMaxJournalBytes(bytes: number): boolean {
  return Number.isSafeInteger(bytes) && bytes >= 0;
}
