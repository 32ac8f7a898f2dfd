import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { readDefinitionModelInTurns, type DefinitionModel } from '@waymark/core/adapter';
import {
  IWorkflowDefinitionPublisher,
  type DefinitionDraft,
  type LoadedDefinition,
  type PublishResult,
  type SaveOptions,
  WorkflowPersistence,
} from '@waymark/runtime';
import { afterCommit, contentMembers, loopTurns } from '@waymark/runtime/adapter';
import { InvalidRequestError } from '../answers/api-errors.js';
import { DefinitionAnswers } from './definition-answers.js';
import { DefinitionContexts } from './definition-contexts.js';
import { sameJson } from './same-json.js';

/** Makes drafts of definitions that clients send. */
@Injectable()
export class DefinitionDrafts {
  constructor(
    private readonly contexts: DefinitionContexts,
    private readonly publisher: IWorkflowDefinitionPublisher,
    private readonly answers: DefinitionAnswers,
    private readonly persistence: WorkflowPersistence,
  ) {}

  /** Of a large one, other requests get their turn in between. @param path where the model stands in the request @throws DefinitionFormatError */
  read(json: unknown, path: string): Promise<DefinitionModel> {
    return readDefinitionModelInTurns(json, this.contexts.limited(), path, () => loopTurns.goOn());
  }

  /** The members of a model that a save takes over; the server decides on versions, dates and flags. */
  saved(model: DefinitionModel): DefinitionDraft {
    return { definitionId: model.definitionId, ...contentMembers(model) };
  }

  /** An import takes over the version id too. @param definitionId in place of the model's */
  imported(model: DefinitionModel, definitionId = model.definitionId): DefinitionDraft {
    return { ...this.saved(model), id: model.id, definitionId };
  }

  /** The version that an import follows, or replaces where it is a draft. */
  async latestOf({ definitionId }: DefinitionDraft): Promise<LoadedDefinition | undefined> {
    return definitionId ? this.persistence.definitions.find({ definitionId, versionOptions: 'Latest' }) : undefined;
  }

  /** Whether an import would change nothing. */
  isSame(draft: DefinitionDraft, stored: LoadedDefinition): Promise<boolean> {
    const known: DefinitionDraft = { definitionId: stored.definitionId, ...contentMembers(stored) };
    return sameJson(contentOf({ ...draft, id: undefined }), contentOf(known), setImmediate);
  }

  /**
   * Stores an imported draft, with the warnings of publishing, which Elsa does not have: what was imported may not run here.
   * @param options `over`: the latest version that it replaces or follows, @default whichever there is; `requestedBy`: who imports it
   * @throws InvalidRequestError as `requirePublished` does
   */
  async store(
    draft: DefinitionDraft,
    publishes: boolean | undefined,
    { over, requestedBy }: Pick<SaveOptions, 'over' | 'requestedBy'> = {},
  ): Promise<Pick<PublishResult, 'definition' | 'warnings'>> {
    const options = { keepId: true, over, requestedBy };
    if (!publishes) return { definition: await this.publisher.saveDraft(draft, options) };
    const result = await this.publisher.saveAndPublish(draft, options);
    this.requirePublished(result);
    return result;
  }

  /** @throws InvalidRequestError listing everything that is in the way of publishing */
  requirePublished({ succeeded, problems }: PublishResult): void {
    if (!succeeded) throw new InvalidRequestError({ generalErrors: problems.map((p) => p.message) });
  }

  /** The answer to publishing. @throws InvalidRequestError as `requirePublished` does */
  async published(result: PublishResult): Promise<object> {
    this.requirePublished(result);
    await setImmediate();
    const consumers = await afterCommit(() => this.publisher.consumers(result.definition.definitionId));
    return {
      workflowDefinition: await this.answers.model(result.definition),
      alreadyPublished: result.alreadyPublished,
      consumingWorkflowCount: consumers.length,
      validationErrors: [],
      // Unknown to Elsa: left out unless they are set.
      ...(result.warnings?.length ? { warnings: result.warnings } : {}),
      ...(result.failedConsumers?.length ? { failedConsumers: result.failedConsumers } : {}),
      ...(result.consumerPlanId === undefined ? {} : { consumerPlanId: result.consumerPlanId }),
    };
  }
}

/** Left out, empty and false are the same. */
function contentOf(draft: DefinitionDraft): object {
  const said = Object.entries(draft).filter(([, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value),
  );
  return Object.fromEntries(said);
}
