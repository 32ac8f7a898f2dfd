import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import {
  BookmarkPatternsChanged,
  WorkflowBookmarksIndexed,
  WorkflowEvent,
  WorkflowPersistence,
  WorkflowTriggersIndexed,
} from '@waymark/runtime';
import { HTTP_ENDPOINT } from '../endpoint/endpoint-payload.js';
import { RouteTable } from './route-table.js';

/** Keeps the route table in step with the stored triggers and bookmarks (W6). */
@Injectable()
export class UpdateRouteTable implements OnApplicationBootstrap {
  /** Counts what events changed, so that a snapshot read meanwhile is known to be old. */
  private changes = 0;
  private loading: Promise<void> | undefined;
  /** Patterns have come by event: what was read at the start may be older. */
  private hasFollowed = false;

  constructor(
    private readonly routes: RouteTable,
    private readonly persistence: WorkflowPersistence,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.reloadTriggers();
    const patterns = await this.persistence.patterns.findAll();
    if (!this.hasFollowed) this.routes.setPatterns(patterns);
    this.routes.addBookmarks(await this.persistence.bookmarks.findMany({ names: [HTTP_ENDPOINT] }));
  }

  @OnEvent(WorkflowEvent.TriggersIndexed)
  onTriggersIndexed({ indexed }: WorkflowTriggersIndexed): void {
    this.changes++;
    this.routes.removeTriggers(indexed.removed);
    this.routes.addTriggers([...indexed.added, ...indexed.unchanged]);
  }

  @OnEvent(WorkflowEvent.BookmarksIndexed)
  onBookmarksIndexed({ added, removed }: WorkflowBookmarksIndexed): void {
    if (removed.length) this.routes.removeBookmarks(removed);
    if (added.length) this.routes.addBookmarks(added);
  }

  /** Instances of other nodes wait at templates that this node may not have seen. */
  @OnEvent(WorkflowEvent.BookmarkPatternsChanged)
  onPatternsChanged({ patterns }: BookmarkPatternsChanged): void {
    this.hasFollowed = true;
    this.routes.setPatterns(patterns);
  }

  /** Definitions changed, maybe on another node, which told nothing but that. */
  @OnEvent(WorkflowEvent.DefinitionsChanged)
  @OnEvent(WorkflowEvent.DefinitionsDeleted)
  async onDefinitionsChanged(): Promise<void> {
    await this.reloadTriggers();
  }

  /** Reads all triggers again; calls that come while one is reading share the next reading. */
  private async reloadTriggers(): Promise<void> {
    await this.loading?.catch(() => undefined);
    await (this.loading ??= this.loadTriggers().finally(() => (this.loading = undefined)));
  }

  private async loadTriggers(): Promise<void> {
    for (let before = -1; before !== this.changes;) {
      before = this.changes;
      const triggers = await this.persistence.triggers.findMany({ names: [HTTP_ENDPOINT] });
      if (before === this.changes) this.routes.setTriggers(triggers);
    }
  }
}
