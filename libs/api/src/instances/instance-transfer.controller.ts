import { setImmediate } from 'node:timers/promises';
import { Param, Req, Res, type StreamableFile } from '@nestjs/common';
import type { WorkflowState } from '@waymark/core';
import { REDACTED } from '@waymark/core/adapter';
import { WorkflowPersistence } from '@waymark/runtime';
import {
  afterCommit,
  failureOf,
  InstanceImport,
  JournalScan,
  type LoadedInstance,
  NumberSet,
  type ValueBudget,
  loopTurns,
} from '@waymark/runtime/adapter';
import { ActivityExecutions } from '../activity-executions/activity-executions.js';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { ShownValues } from '../answers/hides-secrets.js';
import { fileAnswer } from '../answers/file-answer.js';
import { zipAnswer } from '../answers/stream-answer.js';
import type { NamedText } from '../answers/zipped.js';
import { Audited, numberIn } from '../audit/audited.js';
import { noteForAudit } from '../audit/request-audit.js';
import { distinctIds } from '../bulk/bulk-answers.js';
import { errorsOf } from '../definitions/definition-files.js';
import { AnswersWhole } from '../answers/whole-answers.interceptor.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromOptionalBody, FromQuery } from '../requests/bind.js';
import { BodyKind, bodyLimit } from '../requests/body-limits.js';
import type { HttpReply, HttpRequest } from '../requests/http-request.js';
import { parseRequestText } from '../requests/json-text.js';
import * as read from '../requests/readers.js';
import { readUploads } from '../requests/uploads.js';
import { markedPlaces, withKeptSecrets } from './kept-secrets.js';
import { JournalValues } from './journal-values.js';
import { readInstanceFile, writeInstanceFile, type ExportParts, type ImportedInstance } from './instance-file.js';

const parts = {
  includeBookmarks: read.flag,
  includeActivityExecutionLog: read.flag,
  includeWorkflowExecutionLog: read.flag,
};
const exportRequest = read.members(parts);
const bulkRequest = read.members({ ...parts, ids: read.list(read.name) });
type BulkRequest = read.ReadBy<typeof bulkRequest>;
/** Elsa replaces in any case. */
const importRequest = read.members({ replace: read.flag });
type ImportRequest = read.ReadBy<typeof importRequest>;

const READ = 'read:workflow-instances';
const ARCHIVE = 'workflow-instances.zip';

/** Moves instances between servers. */
@ApiController()
export class InstanceTransferController {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly imports: InstanceImport,
    private readonly executions: ActivityExecutions,
    private readonly values: JournalValues,
    private readonly shown: ShownValues,
  ) {}

  @AnswersWhole()
  @ApiGet('workflow-instances/:id/export', READ)
  get(@Param('id') id: string, @FromOptionalBody(exportRequest) request: ExportParts) {
    return this.exportOne(id, request);
  }

  @AnswersWhole()
  @ApiPost('workflow-instances/:id/export', READ)
  post(@Param('id') id: string, @FromOptionalBody(exportRequest) request: ExportParts) {
    return this.exportOne(id, request);
  }

  @AnswersWhole()
  @ApiGet('bulk-actions/export/workflow-instances', READ)
  getMany(@FromOptionalBody(bulkRequest) request: BulkRequest, @Res({ passthrough: true }) reply: HttpReply) {
    return this.exportMany(request, reply);
  }

  @AnswersWhole()
  @ApiPost('bulk-actions/export/workflow-instances', READ)
  postMany(@FromOptionalBody(bulkRequest) request: BulkRequest, @Res({ passthrough: true }) reply: HttpReply) {
    return this.exportMany(request, reply);
  }

  /** Takes the place of instances with the same ids that have ended or are as the file has them; with `replace`, of those that wait as well. */
  @Audited('instances.import', {
    target: 'instance',
    note: ({ answer }) => ({
      targetCount: numberIn(answer, 'imported'),
      details: { failed: Array.isArray(answer.failures) ? answer.failures.length : undefined },
    }),
  })
  @ApiPost('bulk-actions/import/workflow-instances', 'write:workflow-instances')
  async import(@Req() request: HttpRequest, @FromQuery(importRequest) options: ImportRequest) {
    const uploads = await readUploads(request);
    // All are read before the first is stored, so that a broken file changes nothing.
    const instances: ImportedInstance[] = [];
    const limit = bodyLimit(request, BodyKind.Import);
    for (const { text } of uploads) {
      instances.push(readInstanceFile(await parseRequestText(text, limit), limit.values));
      // Other requests get their turn.
      await setImmediate();
    }
    // They may take the place of others.
    noteForAudit(request, { targetIds: instances.map(({ state }) => state.id) });
    await this.imports.requireOwnBookmarks(instances.map(({ state }) => state));
    const failed: { readonly id: string; readonly error: unknown }[] = [];
    const warnings = new Map<string, readonly string[]>();
    let imported = 0;
    for (const instance of instances) {
      try {
        const noted = await afterCommit(
          () => this.importOne(instance, options),
          () => imported > 0,
        );
        if (noted.length > 0) warnings.set(instance.state.id, noted);
        imported++;
      } catch (error) {
        // What would be the same for the next one ends the work.
        if (!errorsOf(error)) throw error;
        failed.push({ id: instance.state.id, error });
      }
    }
    if (imported === 0 && failed.length > 0) throw failed[0]!.error;
    const failures = failed.map(({ id, error }) => failureOf(id, error));
    // The reference answers `imported`, its own client reads `count`; the rest is unknown to it, and left out unless there is any.
    return {
      imported,
      count: imported,
      ...(warnings.size > 0 && { warnings: Object.fromEntries(warnings) }),
      ...(failures.length > 0 && { failures }),
    };
  }

  private async exportOne(id: string, request: ExportParts): Promise<StreamableFile> {
    const instance = await this.persistence.instances.load(id);
    if (!instance) throw new ResourceNotFoundError('workflow instance', id);
    const file = await this.file(instance, request, this.values.exportBudget());
    return fileAnswer(file.name, file.text);
  }

  private async exportMany(
    { ids = [], ...request }: BulkRequest,
    reply: HttpReply,
  ): Promise<StreamableFile | undefined> {
    const { instances } = this.persistence;
    const asked = distinctIds(ids) ?? [];
    const known = new Set(asked.length === 0 ? [] : await instances.findIds({ ids: asked }));
    const found = asked.filter((id) => known.has(id));
    if (found.length === 0) {
      reply.status(204);
      return undefined;
    }
    return found.length === 1 ? this.exportOne(found[0]!, request) : zipAnswer(ARCHIVE, this.files(found, request));
  }

  /** One at a time; those that have been deleted meanwhile are left out. */
  private async *files(ids: readonly string[], request: ExportParts): AsyncGenerator<NamedText, void> {
    const budget = this.values.exportBudget();
    for (const id of ids) {
      const instance = await this.persistence.instances.load(id);
      if (instance) yield await this.file(instance, request, budget);
    }
  }

  private async file(instance: LoadedInstance, request: ExportParts, budget: ValueBudget): Promise<NamedText> {
    const { id } = instance;
    const { journal } = this.persistence;
    const [lightRecords, lightLog] = await Promise.all([
      request.includeActivityExecutionLog ? this.executions.list(id).then(({ items }) => items) : [],
      request.includeWorkflowExecutionLog ? journal.readLog(id, { valueBytes: 0 }) : [],
    ]);
    const records = await this.values.shown(id, lightRecords, budget);
    const log = await this.values.shown(id, lightLog, budget);
    const name = `workflow-instance-${instance.id}.json`.replace(/[\\/:*?"<>|\p{Cc}]/gu, '-');
    const shown = this.shown.of(instance);
    await loopTurns.goOn();
    const shownJournal = this.shown.of({ records, log });
    await loopTurns.goOn();
    return { name, text: await writeInstanceFile(shown, shownJournal, request) };
  }

  /** @returns what may prevent it from being resumed as it was */
  private async importOne(
    { state: file, journal }: ImportedInstance,
    options: ImportRequest,
  ): Promise<readonly string[]> {
    const { state, places } = await this.withSecrets(file);
    const known = new NumberSet();
    const scan = await JournalScan.of(this.persistence.journal, state.id);
    for await (const entries of scan.latestEntries()) for (const { sequence } of entries) known.add(sequence);
    const log = journal.log.filter((entry) => !known.has(entry.sequence));
    await this.imports.importState(state, { log, records: journal.records }, options);
    return [...(places.length > 0 ? [lostAt(places)] : []), ...(await this.withoutDefinition(state))];
  }

  /** Such as one that was imported to look at it, without its definition. */
  private async withoutDefinition(state: WorkflowState): Promise<readonly string[]> {
    const { status, definitionId, definitionVersion: version, definitionVersionId } = state;
    if (status !== 'Running') return [];
    const known = await this.persistence.definitions.findVersions({ ids: [definitionVersionId] });
    return known.length > 0
      ? []
      : [
          `Version ${version} ("${definitionVersionId}") of workflow "${definitionId}" is not on this server: the instance cannot be resumed. ` +
            'Import the definition with the id of that version, or cancel the instance.',
        ];
  }

  private async withSecrets(file: WorkflowState): Promise<{ state: WorkflowState; places: readonly string[] }> {
    const marked = markedPlaces(file);
    const here = marked.length === 0 ? undefined : await this.persistence.instances.load(file.id);
    if (!here) return { state: file, places: marked };
    const state = withKeptSecrets(file, here.state, this.shown.of(here).state);
    // Credentials that came with a request are not stored at all.
    const known = new Set(markedPlaces(here.state));
    return { state, places: markedPlaces(state).filter((place) => !known.has(place)) };
  }
}

const lostAt = (places: readonly string[]): string =>
  `The file has ${REDACTED} in place of secrets, and the instance continues with that text: ${places.join(', ')}. ` +
  'Set the variables before it is resumed, or import a file that has the values.';
