import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import {
  BookmarkPatternsChanged,
  type DefinitionsChanged,
  type StoredTrigger,
  WorkflowBookmarksIndexed,
  WorkflowEvent,
  WorkflowPersistence,
  WorkflowTriggersIndexed,
} from '@waymark/runtime';
import { StoreOutages, WorkflowEventEmitter, WorkflowLogger } from '@waymark/runtime/adapter';
import { HTTP_ENDPOINT } from '../endpoint/endpoint-payload.js';
import { EndpointPatterns } from './endpoint-patterns.js';
import { RouteTable } from './route-table.js';

/** Keeps the route table in step with the stored triggers, and with the patterns of bookmarks (W6). */
@Injectable()
export class UpdateRouteTable implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new WorkflowLogger('RouteTable');
  /** Counts what events changed, so that a snapshot read meanwhile is known to be old. */
  private changes = 0;
  private loading: Promise<void> | undefined;
  /** Definitions whose triggers are to be read again; undefined: all. */
  private outdated: Set<string> | undefined = new Set();
  /** Patterns have come by event: what was read at the start may be older. */
  private hasFollowed = false;
  /** Ids of triggers that were damaged, as the log says. */
  private readonly unreadable = new Set<string>();

  constructor(
    private readonly routes: RouteTable,
    private readonly persistence: WorkflowPersistence,
    private readonly outages: StoreOutages,
    private readonly endpoints: EndpointPatterns,
    private readonly events: WorkflowEventEmitter,
  ) {
    outages.onRecovered(() => void this.readOutdated());
  }

  /** Called by Nest: listens to what each burst may change. */
  onModuleInit(): void {
    this.events.listen<WorkflowBookmarksIndexed>(WorkflowEvent.BookmarksIndexed, (event) =>
      this.onBookmarksIndexed(event),
    );
    // Before the listeners of the application, which register later: a slow one of them does not hold up the routes.
    this.events.listen<WorkflowTriggersIndexed>(WorkflowEvent.TriggersIndexed, (event) =>
      this.onTriggersIndexed(event),
    );
    this.events.listen<BookmarkPatternsChanged>(WorkflowEvent.BookmarkPatternsChanged, (event) =>
      this.onPatternsChanged(event),
    );
    for (const event of [WorkflowEvent.DefinitionsChanged, WorkflowEvent.DefinitionsDeleted])
      this.events.listen<DefinitionsChanged>(event, (changed) => this.onDefinitionsChanged(changed));
  }

  /** Called by Nest when the application starts. */
  async onApplicationBootstrap(): Promise<void> {
    await this.reloadTriggers();
    const patterns = await this.persistence.patterns.findAll();
    if (!this.hasFollowed) this.routes.setPatterns(patterns.filter(({ unreadable }) => !unreadable));
  }

  /** Called with what was indexed when triggers of a definition have changed. */
  onTriggersIndexed({ indexed }: WorkflowTriggersIndexed): void {
    this.changes++;
    this.routes.removeTriggers(indexed.removed);
    this.routes.addTriggers([...indexed.added, ...indexed.unchanged]);
  }

  /** Called with what was indexed when bookmarks of an instance have changed. */
  onBookmarksIndexed({ added }: WorkflowBookmarksIndexed): void {
    if (!added.length) return;
    const { endpoints } = this;
    this.routes.addPatterns(
      added.filter(({ name, payload }) => name === HTTP_ENDPOINT && endpoints.isPattern(payload)),
    );
  }

  /** Called when instances wait at path templates that are new to this node. */
  onPatternsChanged({ patterns, areAll }: BookmarkPatternsChanged): void {
    if (!areAll) return this.routes.addPatterns(patterns);
    this.hasFollowed = true;
    this.routes.setPatterns(patterns);
  }

  /** Reads the triggers of changed definitions again; the change may come from another node. */
  async onDefinitionsChanged({ definitionIds }: Pick<DefinitionsChanged, 'definitionIds'>): Promise<void> {
    try {
      await this.reloadTriggers(definitionIds);
    } catch (error) {
      if (!this.outages.report(error)) throw error;
    }
  }

  /** What was to be read when the store failed is not announced again. Never rejects: nothing waits for it. */
  private async readOutdated(): Promise<void> {
    try {
      await this.onDefinitionsChanged({ definitionIds: [] });
    } catch (error) {
      this.logger.error(
        `Failed to read the triggers of endpoints; retrying with the next change of a definition: ${toErrorLike(error).message}`,
        toErrorLike(error).stack,
      );
    }
  }

  /** Reads triggers again; calls that come while others are reading share the next reading. */
  private async reloadTriggers(definitionIds?: readonly string[]): Promise<void> {
    if (!definitionIds) this.outdated = undefined;
    else for (const id of definitionIds) this.outdated?.add(id);
    await this.loading?.catch(() => undefined);
    await (this.loading ??= this.loadTriggers().finally(() => (this.loading = undefined)));
  }

  private async loadTriggers(): Promise<void> {
    const { outdated } = this;
    this.outdated = new Set();
    const workflowDefinitionIds = outdated && [...outdated];
    try {
      if (!outdated || outdated.size > 0) await this.load(workflowDefinitionIds);
    } catch (error) {
      // The next reading makes up for it, at the latest when the store is back.
      if (!outdated) this.outdated = undefined;
      else for (const id of outdated) this.outdated?.add(id);
      throw error;
    }
  }

  private async load(workflowDefinitionIds: readonly string[] | undefined): Promise<void> {
    for (let before = -1; before !== this.changes;) {
      before = this.changes;
      const triggers = await this.persistence.triggers.findMany({ names: [HTTP_ENDPOINT], workflowDefinitionIds });
      if (before !== this.changes) continue;
      this.routes.setTriggers(triggers, workflowDefinitionIds);
      for (const trigger of triggers)
        if (trigger.unreadable) this.logUnreadable(trigger, trigger.unreadable);
        else this.unreadable.delete(trigger.id);
    }
  }

  /** Once for each row: it is read with each change of its definition, and all are after an outage. */
  private logUnreadable({ id, workflowDefinitionId }: StoredTrigger, { message }: Error): void {
    if (this.unreadable.has(id)) return;
    this.unreadable.add(id);
    const what = this.routes.has(id) ? 'served as it was read before, until this node ends' : 'not served';
    this.logger.error(`An endpoint of workflow '${workflowDefinitionId}' is ${what}: ${message}`);
  }
}
