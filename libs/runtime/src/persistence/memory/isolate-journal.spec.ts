import { describe, expect, it } from '@jest/globals';
import type { ActivityExecutionRecord } from '@waymark/core';
import { inAnyCasing, isInAnyCasing } from '@waymark/core/adapter';
import { isolate } from './isolate.js';
import { isolateJournal } from './isolate-journal.js';

describe('the copy of a journal', () => {
  it('has the values alone, and not which of them expressions read in any casing, as in a database', () => {
    const Headers = inAnyCasing({ 'X-Test': '1' });
    const record = { outputs: { Headers }, properties: {}, metadata: {}, startedAt: new Date(1) };
    const { records } = isolateJournal({ log: [], records: [record as unknown as ActivityExecutionRecord] }).chunk;
    const copy = records[0]!.outputs!.Headers as object;
    expect(copy).toEqual({ 'X-Test': '1' });
    expect([copy === Headers, isInAnyCasing(copy), isInAnyCasing(isolate(Headers))]).toEqual([false, false, true]);
  });
});
