import { inChunks } from './in-chunks.js';
import type { InstanceStore } from './instance-store.js';

/** The state of an instance that takes at least a quarter of what can be stored. */
export interface LargeState {
  /** Id of the instance. */
  readonly workflowInstanceId: string;
  /** Its definition. */
  readonly definitionId: string;
  /** Bytes that its state took when this node stored it last. */
  readonly bytes: number;
  /** Bytes that can be stored: `maxStateBytes`, or what the database takes. */
  readonly maxBytes: number;
}

interface Noted {
  readonly state: LargeState;
  /** Of the instance as this node stored it; undefined in a store that does not say it. */
  readonly revision: number | undefined;
}

/** Of the limit. */
const NEAR_SHARE = 3 / 4;
/** Instances that are remembered. */
const MAX_REMEMBERED = 1000;
/** Look-ups of a refresh. */
const AT_ONCE = 16;

/**
 * Running instances whose states this node has stored, and which grow towards the limit, beyond which an instance is faulted (`WM7017`):
 * numbers for metrics and health checks. The store notes them as it writes them, so that nothing is read for it.
 */
export class LargeStates {
  private readonly known = new Map<string, Noted>();
  private refusals = 0;

  /** How many instances take at least a quarter of what can be stored, up to 1,000. */
  get count(): number {
    return this.known.size;
  }

  /** The one that takes the largest share; undefined if there is none. */
  get largest(): LargeState | undefined {
    return this.byShare()[0];
  }

  /** Those that take at least three quarters, the largest share first. */
  get nearLimit(): readonly LargeState[] {
    return this.byShare().filter((state) => shareOf(state) >= NEAR_SHARE);
  }

  /** How many bursts this node could not store since it started, because a state or a value was too large (`WM7017`). */
  get refused(): number {
    return this.refusals;
  }

  /**
   * Called by the store when it has written such a state.
   * @param revision of the instance with it: by that it is seen that another node has stored the instance since, which then knows how
   * large it is. Without it the state is kept until the instance is deleted, or this node stores it again.
   */
  note(state: LargeState, revision?: number): void {
    this.known.delete(state.workflowInstanceId);
    this.known.set(state.workflowInstanceId, { state, revision });
    if (this.known.size > MAX_REMEMBERED) this.known.delete(this.known.keys().next().value!);
  }

  /** Called by the store when an instance has ended or become smaller. */
  forget(workflowInstanceId: string): void {
    this.known.delete(workflowInstanceId);
  }

  /** @internal */
  noteRefused(): void {
    this.refusals++;
  }

  /** Forgets those that another node has stored, ended or deleted since: it notes them itself. A look-up each. @internal */
  async refresh(instances: Pick<InstanceStore, 'readRevision'>): Promise<void> {
    // Several at a time, because the round of a poll waits for it.
    await inChunks([...this.known], AT_ONCE, async (part) => {
      await Promise.all(
        part.map(async ([id, noted]) => {
          const revision = await instances.readRevision(id);
          const isCurrent = revision !== undefined && (noted.revision ?? revision) === revision;
          // This node may have stored it while the store was asked.
          if (!isCurrent && this.known.get(id) === noted) this.known.delete(id);
        }),
      );
    });
  }

  private byShare(): LargeState[] {
    return [...this.known.values()].map(({ state }) => state).sort((left, right) => shareOf(right) - shareOf(left));
  }
}

const shareOf = ({ bytes, maxBytes }: LargeState): number => bytes / maxBytes;
