import { clearTimeout, setTimeout } from 'node:timers';
import { BACKGROUND_BOOKMARK, StateParts } from '@waymark/core/adapter';
import type { LoadedInstance } from '../persistence/records.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** How long a view is kept after its last use, in milliseconds. */
const KEPT_MS = 1000;
/** Most views that are kept at the same time: the most recently used ones. */
const MAX_KEPT = 16;

/** An instance as it was stored with one revision, for jobs that look at it. */
export interface InstanceView {
  readonly instance: LoadedInstance;
  readonly parts: StateParts;
}

/**
 * Loads an instance once for all of its jobs that are begun between two of its commits: ten thousand jobs that each loaded
 * the state of ten thousand branches would take hours. A job never sees less than was stored when it asked.
 */
export class InstanceViews {
  /** The most recently used ones last. */
  private readonly kept = new Map<string, InstanceView>();
  private readonly loading = new Map<string, Promise<InstanceView | undefined>>();
  private used = new Set<string>();
  /** A timer of Node and not of the clock: it frees memory, which the time of tests does not concern. */
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly persistence: WorkflowPersistence) {}

  /** The instance as it is stored now, or was since this was asked; undefined: it is not there. */
  async of(instanceId: string): Promise<InstanceView | undefined> {
    // For an instance with a single job there is no view, and one query is all that it costs.
    if (!this.kept.has(instanceId) && !this.loading.has(instanceId)) return this.load(instanceId);
    const revision = await this.persistence.instances.readRevision(instanceId);
    if (revision === undefined) return undefined;
    const known = this.kept.get(instanceId);
    if (known?.instance.revision === revision) return this.keep(known);
    // A load that began before this call may have read an older state.
    const begun = await this.loading.get(instanceId);
    if (begun?.instance.revision === revision) return begun;
    // A load that another job has begun since then is recent enough.
    return this.loading.get(instanceId) ?? this.load(instanceId);
  }

  private load(instanceId: string): Promise<InstanceView | undefined> {
    const loading = this.read(instanceId).finally(() => this.loading.delete(instanceId));
    this.loading.set(instanceId, loading);
    return loading;
  }

  private async read(instanceId: string): Promise<InstanceView | undefined> {
    const instance = await this.persistence.instances.load(instanceId);
    this.kept.delete(instanceId);
    if (!instance) return undefined;
    const view = { instance, parts: new StateParts(instance.state) };
    return hasSeveralJobs(instance) ? this.keep(view) : view;
  }

  private keep(view: InstanceView): InstanceView {
    const { id } = view.instance;
    this.kept.delete(id);
    this.kept.set(id, view);
    if (this.kept.size > MAX_KEPT) this.kept.delete(this.kept.keys().next().value!);
    this.used.add(id);
    this.timer ??= setTimeout(this.onTimer, KEPT_MS).unref();
    return view;
  }

  private readonly onTimer = (): void => {
    this.timer = undefined;
    for (const id of this.kept.keys()) if (!this.used.has(id)) this.kept.delete(id);
    this.used = new Set();
    if (this.kept.size > 0) this.timer = setTimeout(this.onTimer, KEPT_MS).unref();
  };

  /** Drops all views. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.kept.clear();
  }
}

function hasSeveralJobs({ state }: LoadedInstance): boolean {
  let jobs = 0;
  for (const { name } of state.bookmarks) if (name === BACKGROUND_BOOKMARK && ++jobs > 1) return true;
  return false;
}
