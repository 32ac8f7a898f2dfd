import { setImmediate } from 'node:timers/promises';
import type { StreamableFile } from '@nestjs/common';
import { toPlainJson } from '@waymark/core/adapter';
import { AuditTrail, WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import { type AuditCursor, type AuditEntry, type AuditFilter } from '@waymark/runtime/adapter';
import { dispositionOf } from '../answers/file-answer.js';
import { streamAnswer } from '../answers/stream-answer.js';
import { withUnreadable } from '../answers/unreadable-row.js';
import { ApiController, ApiGet } from '../module/api-controller.js';
import { FromQuery } from '../requests/bind.js';
import { CSV_HEAD, csvLines } from './audit-csv.js';
import {
  cursorOf,
  cursorText,
  exportRequest,
  type ExportRequest,
  limitOf,
  listRequest,
  type ListRequest,
} from './audit-requests.js';

const READ = 'read:audit';
/** Entries of an export that are read at a time. */
const EXPORTED_AT_ONCE = 500;

/** The audit trail: who changed what. Elsa has no such list. */
@ApiController('audit')
export class AuditController {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly trail: AuditTrail,
    private readonly clock: WorkflowClock,
  ) {}

  /** The newest first. Without a total: counting a long trail takes long. */
  @ApiGet('', READ)
  async list(@FromQuery(listRequest) { limit: asked, after, ...filter }: ListRequest) {
    const limit = limitOf(asked);
    const found = await this.persistence.audit.find(filter, { limit: limit + 1, after: cursorOf(after) });
    const items = found.slice(0, limit);
    return { items: items.map(withUnreadable), next: found.length > limit ? cursorText(items.at(-1)!) : undefined };
  }

  /** How many entries this node has written since its start, and how many were lost. */
  @ApiGet('status', READ)
  status() {
    return this.trail.counts;
  }

  @ApiGet('export', READ)
  export(@FromQuery(exportRequest) { format = 'ndjson', ...filter }: ExportRequest): Promise<StreamableFile> {
    const entries = this.entries(filter);
    const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
    return streamAnswer(format === 'csv' ? csvText(entries) : jsonText(entries), {
      type,
      disposition: dispositionOf(`audit.${format}`),
    });
  }

  /** Entries up to the begin of the export, so that it ends however many are added in the meantime. */
  private async *entries(filter: AuditFilter): AsyncGenerator<readonly AuditEntry[], void> {
    const now = new Date(this.clock.now() + 1);
    const to = filter.to && filter.to < now ? filter.to : now;
    let after: AuditCursor | undefined;
    do {
      const page = await this.persistence.audit.find({ ...filter, to }, { limit: EXPORTED_AT_ONCE, after });
      yield page;
      after = page.length < EXPORTED_AT_ONCE ? undefined : page.at(-1);
      // Lets other requests run, also with a store that answers without I/O.
      await setImmediate();
    } while (after);
  }
}

async function* csvText(entries: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<string, void> {
  let head = CSV_HEAD;
  for await (const page of entries) {
    yield head + csvLines(page);
    head = '';
  }
}

async function* jsonText(entries: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<string, void> {
  for await (const page of entries) {
    const text = page.map((entry) => `${JSON.stringify(toPlainJson(withUnreadable(entry)))}\n`).join('');
    // An empty text would end the stream.
    if (text !== '') yield text;
  }
}
