import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { parseDefinitionTextInTurns, type DefinitionModel, type DefinitionProblem } from '@waymark/core/adapter';
import type { PlanRequester } from '@waymark/runtime';
import { afterCommit } from '@waymark/runtime/adapter';
import { DefinitionBytesError, GENERAL, InvalidRequestError, type MemberErrors } from '../answers/api-errors.js';
import { answerOf } from '../answers/error-answer.js';
import type { BodyLimit } from '../requests/body-limits.js';
import { MAX_NAMES } from '../requests/json-text.js';
import type { UploadedText } from '../requests/unpack.js';
import { DefinitionDrafts } from './definition-drafts.js';
import { inOrderOfUse } from './upload-order.js';

/** A file, or a definition in one, that was not imported. */
export interface FailedImport {
  readonly file: string;
  /** Missing where the file could not be read. */
  readonly definitionId?: string | undefined;
  /** Messages by member, as in the answer to the import of that definition alone. */
  readonly errors: MemberErrors;
}

/** A definition that was not imported, because its latest version is a draft that nothing else has. */
export interface KeptDraft {
  readonly file: string;
  readonly definitionId: string;
  readonly name?: string | undefined;
  /** Of the draft. */
  readonly version: number;
}

/** What an upload asks for. */
export interface UploadRequest {
  readonly publish?: boolean | undefined;
  /** If true, an unpublished draft with other content stays: it is in no version, and could not be brought back. */
  readonly keepDrafts?: boolean | undefined;
  /** Only these definitions of the files. @default all */
  readonly definitionIds?: readonly string[] | undefined;
}

/** The answer to an upload. Elsa has `count` only. */
export interface ImportedFiles {
  readonly count: number;
  /** Of publishing, by definition id. */
  readonly warnings?: Readonly<Record<string, readonly DefinitionProblem[]>>;
  readonly failures?: readonly FailedImport[];
  readonly keptDrafts?: readonly KeptDraft[];
}

/** A definition of a file, and what it was read from. */
interface ReadModel {
  readonly json: unknown;
  readonly model: DefinitionModel;
}

/** Imports the definitions of uploaded files, each for itself: one that cannot be imported does not stop the others. */
@Injectable()
export class DefinitionFiles {
  constructor(private readonly drafts: DefinitionDrafts) {}

  /**
   * @returns `undefined` where the files contain no definition
   * @throws what the only file failed with; InvalidRequestError with the failures by file if all of several failed
   */
  async import(
    uploads: readonly UploadedText[],
    limit: BodyLimit,
    { publish, keepDrafts = false, definitionIds }: UploadRequest,
    requestedBy: PlanRequester,
  ): Promise<ImportedFiles | undefined> {
    const failures: FailedImport[] = [];
    const keptDrafts: KeptDraft[] = [];
    /** Of this upload: a second file may replace what the first has brought. */
    const own = new Set<string>();
    const only = definitionIds && new Set(definitionIds);
    /** Of each definition, as its last file has them. */
    const warnings = new Map<string, readonly DefinitionProblem[]>();
    let count = 0;
    const attempt = async <T>(
      { file, definitionId }: Pick<FailedImport, 'file' | 'definitionId'>,
      isAlone: boolean,
      work: () => Promise<T>,
    ): Promise<T | undefined> => {
      try {
        return await afterCommit(work, () => count > 0);
      } catch (error) {
        const errors = isAlone ? undefined : errorsOf(error);
        if (!errors) throw error;
        failures.push({ file, ...(definitionId !== undefined && { definitionId }), errors });
        return undefined;
      }
    };
    // All are read before the first is stored: a limit that ends the request leaves nothing behind.
    const read: { file: string; models: readonly ReadModel[] }[] = [];
    for (const { name: file, text } of uploads) {
      const models = await attempt({ file }, uploads.length === 1, () => this.readFile(text, limit));
      read.push({ file, models: models ?? [] });
    }
    const isAlone = uploads.length === 1 && read[0]!.models.length === 1;
    const uploaded = read.flatMap(({ file, models }) => models.map((model) => ({ file, ...model })));
    for (const { file, json, model: first, uses } of inOrderOfUse(uploaded)) {
      // Now that they are stored, activities of that workflow stand for its versions.
      const model = uses.some((id) => own.has(id))
        ? await attempt({ file, definitionId: first.definitionId }, isAlone, () => this.drafts.read(json, ''))
        : first;
      if (!model) continue;
      const draft = this.drafts.imported(model);
      const { definitionId } = draft;
      if (only && !only.has(definitionId ?? '')) continue;
      const mayKeep = keepDrafts && !own.has(definitionId ?? '');
      const latest = mayKeep
        ? await afterCommit(
            () => this.drafts.latestOf(draft),
            () => count > 0,
          )
        : undefined;
      if (latest && !latest.isPublished && !(await this.drafts.isSame(draft, latest))) {
        keptDrafts.push({ file, definitionId: latest.definitionId, name: latest.name, version: latest.version });
        continue;
      }
      const stored = await attempt({ file, definitionId }, isAlone, () =>
        // A draft that another person begins now is not replaced either.
        this.drafts.store(draft, publish, { requestedBy, over: latest && [latest] }),
      );
      if (!stored) continue;
      own.add(stored.definition.definitionId);
      count++;
      if (stored.warnings?.length) warnings.set(stored.definition.definitionId, stored.warnings);
      else warnings.delete(stored.definition.definitionId);
    }
    if (count === 0 && keptDrafts.length === 0) {
      if (failures.length > 0) throw new InvalidRequestError(byFile(failures));
      return undefined;
    }
    return {
      count,
      ...(warnings.size > 0 && { warnings: Object.fromEntries(warnings) }),
      ...(failures.length > 0 && { failures }),
      ...(keptDrafts.length > 0 && { keptDrafts }),
    };
  }

  /** A file holds one definition or a list of them. */
  private async readFile(text: string, { bytes, values: maxValues }: BodyLimit): Promise<ReadModel[]> {
    const json = await parseDefinitionTextInTurns(text, { maxValues, maxNames: MAX_NAMES }, setImmediate);
    await setImmediate();
    const models: ReadModel[] = [];
    const isLong = Buffer.byteLength(text) > bytes;
    for (const item of Array.isArray(json) ? json : [json]) {
      if (isLong) requireSize(item, bytes);
      models.push({ json: item, model: await this.drafts.read(item, '') });
      // Lets other requests run.
      await setImmediate();
    }
    return models;
  }
}

/** Of an error that concerns one definition; `undefined` for those that would be the same for the next one, such as of the store. */
export function errorsOf(error: unknown): MemberErrors | undefined {
  const { status = 500, body } = answerOf(error) ?? {};
  if (status < 400 || status >= 500 || status === 429) return undefined;
  const { errors } = body as { errors?: MemberErrors };
  return errors ?? { [GENERAL]: [(error as Error).message] };
}

function byFile(failures: readonly FailedImport[]): MemberErrors {
  const messages: Record<string, string[]> = {};
  for (const { file, errors } of failures) {
    const named = Object.values(errors).flatMap((texts) => texts.map((text) => `${file}: ${text}`));
    Object.defineProperty(messages, file, {
      value: [...(Object.hasOwn(messages, file) ? messages[file]! : []), ...named],
      enumerable: true,
      configurable: true,
    });
  }
  return messages;
}

/** @throws DefinitionBytesError */
function requireSize(definition: unknown, limit: number): void {
  const size = Buffer.byteLength(JSON.stringify(definition));
  if (size > limit) throw new DefinitionBytesError(size, limit);
}
