import { describe, expect, it } from '@jest/globals';
import { deserialize, inAnyCasing, type RecordPart, serialize } from '@waymark/core/adapter';
import { type ActivityExecutionRecord, type JournalChunk, type WorkflowExecutionLogEntry } from '@waymark/core';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { JournalReference } from '@waymark/runtime/adapter';
import { amountOf } from '../../../../test/support/depth.js';
import { fromCompact } from './chunk-reader.js';
import type { CompactChunk } from './compact-chunk.js';
import { decodeChunk, encodeChunk } from './journal-text.js';

const INSTANCE = 'ddb0764673dcc0aa';
const COMPACT = '{"json":[1,';

/** The text alone, of a chunk in which nothing is large. */
const encode = (chunk: JournalChunk) => encodeChunk(INSTANCE, chunk, Infinity).text;

const activity = {
  activityId: 'Wait',
  activityNodeId: 'Flow:Wait',
  activityType: 'Elsa.Event',
  activityTypeVersion: 1,
};

const entry = (more: object = {}): WorkflowExecutionLogEntry => ({
  sequence: 3,
  activityInstanceId: `${INSTANCE}-2`,
  ...activity,
  timestamp: new Date(1_800_000_000_000),
  eventName: 'Started',
  ...more,
});

const record = (more: object = {}): ActivityExecutionRecord => ({
  id: `${INSTANCE}-2`,
  ...activity,
  properties: {},
  metadata: {},
  startedAt: new Date(1_800_000_000_005),
  hasBookmarks: true,
  status: 'Running',
  aggregateFaultCount: 0,
  callStackDepth: 1,
  ...more,
});

const full: JournalChunk = {
  log: [
    entry(),
    entry({
      parentActivityInstanceId: `${INSTANCE}-1`,
      activityName: 'Wait for it',
      message: "it's",
      source: '',
      payload: { Outcomes: ['Done'], at: new Date(7), gone: undefined },
    }),
  ],
  records: [
    record(),
    record({
      activityName: 'Wait for it',
      activityState: { big: 5n, map: new Map([[1, new Set([NaN])]]) },
      payload: {},
      outputs: { nothing: null, list: [undefined] },
      properties: { __proto__: null, constructor: 1 },
      metadata: { a: -0 },
      exception: { type: 'Error', message: 'no' },
      completedAt: new Date(1_799_999_999_999),
      hasBookmarks: false,
      schedulingActivityExecutionId: 'of-another-instance',
      schedulingActivityId: 'Other',
      schedulingWorkflowInstanceId: INSTANCE,
    }),
  ],
};

/** As it came back when chunks were written as they are. */
const reference = (chunk: JournalChunk) => deserialize<JournalChunk>(serialize(chunk, 'journal'));

function outcome(read: () => JournalChunk): JournalChunk | string {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}

function comesBack(chunk: JournalChunk): void {
  const ours = outcome(() => decodeChunk(encode(chunk)));
  const theirs = outcome(() => reference(chunk));
  if (!isDeepStrictEqual(ours, theirs)) expect(ours).toStrictEqual(theirs);
}

describe('the text of a chunk', () => {
  it('is compact, and names each text once', () => {
    const text = encode({ log: [entry(), entry({ eventName: 'Suspended' })], records: [record()] });
    expect(text).toBe(
      `{"json":[1,1800000000000,["${INSTANCE}","Started","-2","Elsa.Event","Wait","Flow:Wait","Suspended","Running"],` +
        '[[3,0,1,2,1,3,4,5],[3,0,6,2,1,3,4,5]],[[2,1,3,4,5,5,null,7,1,0,1,{},{}]]]}',
    );
  });

  it('keeps everything that the types have a member for', () => {
    expect(encode(full).startsWith(COMPACT)).toBe(true);
    comesBack(full);
  });

  it('reads rows that earlier versions wrote', () => {
    expect(decodeChunk(serialize(full, 'journal'))).toStrictEqual(reference(full));
  });

  it('has references beside it for large values, which a node of the version before reads as placeholders', () => {
    const Text = 'x'.repeat(2000);
    const chunk: JournalChunk = {
      log: [entry({ payload: { Text, small: 1 } })],
      records: [record({ outputs: { Text } })],
    };
    const { text, values } = encodeChunk(INSTANCE, chunk, 1024);
    expect([text.length < 1000, values.length]).toEqual([true, 1]);
    const { hash, bytes } = values[0]!;
    const read = decodeChunk(text);
    expect(read.log[0]!.payload).toEqual({ Text: new JournalReference(hash, bytes), small: 1 });
    expect(read.records[0]!.outputs).toEqual({ Text: new JournalReference(hash, bytes) });
    const [version, base, texts, log, records] = deserialize<CompactChunk>(text);
    const older = fromCompact([version, base, texts, log, records]);
    expect(older.log[0]!.payload).toEqual({ Text: { _type: 'JournalReference', hash, bytes }, small: 1 });
  });

  it('has references in the form of irregular chunks, too', () => {
    const chunk = { log: [entry({ tenantId: 'a', payload: { Text: 'x'.repeat(2000) } })], records: [] };
    const { text, values } = encodeChunk(INSTANCE, chunk, 1024);
    expect(text.startsWith(COMPACT)).toBe(false);
    expect(decodeChunk(text).log[0]!.payload).toEqual({
      Text: new JournalReference(values[0]!.hash, values[0]!.bytes),
    });
  });

  it('gives a reference to a text that is too large, however deep it stands', () => {
    const outputs = { a: [{ b: [{ c: { d: [{ e: 'x'.repeat(2000) }] } }] }] };
    const { text, values } = encodeChunk(INSTANCE, { log: [], records: [record({ outputs })] }, 1024);
    expect([text.length < 1000, values.length]).toEqual([true, 1]);
  });

  it.each([{}, { tenantId: 'a' }])(
    'has no notes on which objects are read in any casing, as no expression reads it: %j',
    (more) => {
      const outputs = { Headers: inAnyCasing({ 'X-Test': '1' }) };
      const text = encode({ log: [], records: [record({ ...more, outputs })] });
      expect(text).not.toContain('anyCasing');
      expect(decodeChunk(text).records[0]!.outputs).toEqual({ Headers: { 'X-Test': '1' } });
    },
  );

  it('does not hold parts that did not change', () => {
    const parts: readonly RecordPart[] = ['activityState', 'outputs'];
    for (const unchanged of [parts, parts.slice(0, 1), parts.slice(1)]) {
      const given = record({ activityState: { a: 1 }, outputs: { b: 2 }, unchanged });
      const read = decodeChunk(encode({ log: [], records: [given] })).records[0]!;
      expect([read.unchanged, ...parts.map((part) => part in read)]).toEqual([
        unchanged,
        ...parts.map((part) => !unchanged.includes(part)),
      ]);
    }
  });

  it('refuses a form of a later version', () => {
    expect(() => decodeChunk('{"json":[2,0,[],[],[]]}')).toThrow(/form 2.*Update this node/);
  });

  it.each([
    ['a member without a value', { activityName: undefined }],
    ['an unknown member', { tenantId: 'a' }],
    ['a member of the other kind', { message: 5, parentActivityInstanceId: null, payload: 'text' }],
    ['a missing member', { eventName: undefined }],
    ['an odd number', { sequence: NaN, activityTypeVersion: -0 }],
    ['a text that begins with a hyphen', { activityName: '-2', message: '-' }],
    ['a date as text', { timestamp: '2026-01-01' }],
    ['dates far apart', { timestamp: new Date(-8.64e15) }],
    ['a risky name', JSON.parse('{"__proto__": 1}') as object],
  ])('keeps %s', (_, more) => {
    comesBack({ log: [entry(), entry(more)], records: [record({ startedAt: new Date(8.64e15) })] });
    comesBack({ log: [], records: [record(), record(more)] });
  });

  it('names the path of a value that cannot be stored', () => {
    const said = (chunk: JournalChunk) => () => encode(chunk);
    expect(said({ log: [], records: [record({ outputs: { b: [() => 1] } })] })).toThrow(
      /journal\.records\[0\]\.outputs\.b\[0\]/,
    );
    expect(said({ log: [entry({ timestamp: new Date(NaN) })], records: [] })).toThrow(/journal\.log\[0\]\.timestamp/);
    expect(said({ log: [new (class Entry {})() as never], records: [] })).toThrow(/journal\.log\[0\]/);
  });

  it('names the path of a value that cannot be read beside a large one', () => {
    const unreadable = {
      get file(): never {
        throw new Error('gone');
      },
    };
    const log = [entry({ payload: { text: 'x'.repeat(1_000) } }), entry({ payload: { unreadable } })];
    expect(() => encodeChunk(INSTANCE, { log, records: [] }, 500)).toThrow(
      expect.objectContaining({
        code: 'WM1102',
        message: expect.stringContaining('journal.log[1].payload.unreadable'),
      }),
    );
  });

  it('is unchanged after being stored, whatever it contains', () => {
    const value = fc.anything({
      withDate: true,
      withMap: true,
      withSet: true,
      withBigInt: true,
      withNullPrototype: true,
    });
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(INSTANCE, `${INSTANCE}-`, `${INSTANCE}--1`, ''),
    );
    const members = [entry, record].map((make) => {
      const names = [...Object.keys(full.log[1]!), ...Object.keys(full.records[1]!), 'other'];
      const member = fc.oneof({ weight: 3, arbitrary: text }, fc.date(), fc.object(), fc.integer(), value);
      const change = fc.tuple(fc.constantFrom(...names), member);
      return fc.array(
        fc.tuple(fc.array(change, { maxLength: 3 }), fc.option(fc.constantFrom(...names))).map(([changes, without]) => {
          const made = { ...make(Object.fromEntries(changes)) } as Record<string, unknown>;
          if (without !== null) delete made[without];
          return made;
        }),
        { maxLength: 4 },
      );
    });
    const chunk = fc.record({ log: members[0]!, records: members[1]! }) as unknown as fc.Arbitrary<JournalChunk>;
    fc.assert(fc.property(chunk, comesBack), { numRuns: amountOf(500) });
  });

  it('is unchanged after being stored compactly when it is regular, whatever the texts, times and values', () => {
    const text = fc.string({ unit: 'binary' }).filter((some) => !some.startsWith('-'));
    const execution = fc.oneof(
      text,
      fc.string().map((some) => `${INSTANCE}-${some}`),
    );
    const date = fc.date({ noInvalidDate: true, min: new Date(-4e15), max: new Date(4e15) });
    const leaf = fc.oneof(text, fc.double(), fc.bigInt(), date, fc.constant(undefined), fc.constant(null));
    const object = fc.dictionary(text, fc.oneof(leaf, fc.array(leaf), fc.dictionary(text, leaf)));
    const node = { activityId: text, activityNodeId: text, activityType: text, activityTypeVersion: fc.integer() };
    const entries = fc.record(
      {
        ...{ ...node, sequence: fc.integer(), activityInstanceId: execution, timestamp: date, eventName: text },
        ...{ parentActivityInstanceId: execution, activityName: text, message: text, source: text, payload: object },
      },
      {
        requiredKeys: [
          ...(['activityId', 'activityNodeId', 'activityType', 'activityTypeVersion'] as const),
          ...(['sequence', 'activityInstanceId', 'timestamp', 'eventName'] as const),
        ],
      },
    );
    const records = fc
      .tuple(
        fc.record({ ...node, id: execution, properties: object, metadata: object, startedAt: date, status: text }),
        fc.record({ hasBookmarks: fc.boolean(), aggregateFaultCount: fc.nat(), callStackDepth: fc.nat() }),
        fc.record(
          {
            ...{ activityName: text, activityState: object, payload: object, outputs: object, exception: object },
            ...{ completedAt: date, schedulingActivityExecutionId: execution, schedulingActivityId: text },
            schedulingWorkflowInstanceId: text,
          },
          { requiredKeys: [] },
        ),
      )
      .map((parts) => Object.assign({}, ...parts) as object);
    const chunk = fc.record({ log: fc.array(entries), records: fc.array(records) }) as fc.Arbitrary<unknown>;
    fc.assert(
      fc.property(chunk as fc.Arbitrary<JournalChunk>, (some) => {
        expect(encode(some).startsWith(COMPACT)).toBe(true);
        comesBack(some);
      }),
      { numRuns: amountOf(100) },
    );
  });
});
