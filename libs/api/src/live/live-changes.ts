import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { toPlainJson } from '@waymark/core/adapter';
import { WorkflowPersistence, type StoredBookmark } from '@waymark/runtime';

import { ShownValues } from '../answers/hides-secrets.js';
import { instanceRow } from '../instances/instance-answers.js';
import { withoutNulls } from '../requests/json-values.js';
import type { LiveEvent } from './live-events.js';

const CHUNK = 200;
/** Of all instances of a chunk together. With more, the events have no bookmarks. */
const MOST_BOOKMARKS = 2_000;
/** Instances whose last reported state is remembered, beside those that the latest look was for. */
const MOST_KNOWN = 5_000;

interface Known {
  readonly definitionId: string | undefined;
  /** Of the state: its text has a line for each bookmark. */
  readonly digest: string;
}

/** Reads the current state of instances and definitions, as events. */
@Injectable()
export class LiveChanges {
  private readonly known = new Map<string, Known>();
  /** Fewer than are watched, and each look would forget them one after the other and report all of them again. */
  private mostKnown = MOST_KNOWN;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly shown: ShownValues,
  ) {}

  forget(): void {
    this.known.clear();
  }

  /** Events of the instances whose state differs from the one that was reported last. */
  async *instances(ids: readonly string[]): AsyncGenerator<LiveEvent, void> {
    this.mostKnown = MOST_KNOWN + ids.length;
    for (let i = 0; i < ids.length; i += CHUNK) {
      for (const event of await this.read(ids.slice(i, i + CHUNK))) if (this.isNews(event)) yield event;
    }
  }

  /** Events of all these instances, for a client that has just connected. */
  async *allOf(ids: readonly string[]): AsyncGenerator<LiveEvent, void> {
    for (let i = 0; i < ids.length; i += CHUNK) {
      for (const event of await this.read(ids.slice(i, i + CHUNK))) {
        // Where a state was reported before, it stays remembered, so that the next look reports the new one to the other clients.
        if (!this.known.has(event.workflowInstanceId!)) this.isNews(event);
        yield event;
      }
    }
  }

  async definitions(definitionIds: readonly string[]): Promise<LiveEvent[]> {
    if (definitionIds.length === 0) return [];
    const versions = await this.persistence.definitions.findVersions({ definitionIds });
    return definitionIds.map((definitionId) => {
      const own = versions.filter((version) => version.definitionId === definitionId);
      if (own.length === 0)
        return { name: 'definition-deleted', topic: 'definitions', definitionId, data: { definitionId } };
      const latest = own.find(({ isLatest }) => isLatest);
      const published = own.find(({ isPublished }) => isPublished);
      const data = withoutNulls({
        definitionId,
        change: latest?.isPublished ? 'Published' : 'Saved',
        latestVersion: latest?.version,
        latestVersionId: latest?.id,
        publishedVersion: published?.version,
        publishedVersionId: published?.id,
      });
      return { name: 'definition-changed', topic: 'definitions', definitionId, data };
    });
  }

  private async read(ids: readonly string[]): Promise<LiveEvent[]> {
    const { items } = await this.persistence.instances.findMany({ ids }, undefined, { skip: 0, take: ids.length });
    const running = items.filter(({ status }) => status === 'Running').map(({ id }) => id);
    const bookmarks = await this.bookmarksOf(running);
    const found = new Map(items.map((item) => [item.id, item]));
    return ids.map((id) => {
      const item = found.get(id);
      if (!item) return this.gone(id);
      const row = { ...instanceRow(item), bookmarks: bookmarks && (bookmarks.get(id) ?? []).map(bookmarkRow) };
      const data = this.shown.of(toPlainJson(withoutNulls(row))) as object;
      return {
        name: 'instance-changed',
        topic: 'instances',
        workflowInstanceId: id,
        definitionId: item.definitionId,
        data,
      };
    });
  }

  private gone(id: string): LiveEvent {
    const definitionId = this.known.get(id)?.definitionId;
    return {
      name: 'instance-deleted',
      topic: 'instances',
      workflowInstanceId: id,
      definitionId,
      data: withoutNulls({ id, definitionId }),
    };
  }

  private async bookmarksOf(ids: readonly string[]): Promise<Map<string, StoredBookmark[]> | undefined> {
    if (ids.length === 0) return new Map();
    const rows = await this.persistence.bookmarks.findMany({ workflowInstanceIds: ids }, MOST_BOOKMARKS + 1);
    if (rows.length > MOST_BOOKMARKS) return undefined;
    const byInstance = new Map<string, StoredBookmark[]>(ids.map((id) => [id, []]));
    for (const row of rows) byInstance.get(row.workflowInstanceId)?.push(row);
    return byInstance;
  }

  private isNews({ workflowInstanceId: id = '', definitionId, data }: LiveEvent): boolean {
    const digest = createHash('sha1').update(JSON.stringify(data)).digest('base64');
    if (this.known.get(id)?.digest === digest) return false;
    // Moved to the end of the map, so that the least recently reported instances are forgotten first.
    this.known.delete(id);
    this.known.set(id, { definitionId, digest });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= this.mostKnown) break;
      this.known.delete(oldest);
    }
    return true;
  }
}

/** Without the payload, which may hold values that the client must not see. */
const bookmarkRow = ({ id, name, activityInstanceId, dueAt }: StoredBookmark): object =>
  withoutNulls({ id, name, activityInstanceId, dueAt });
