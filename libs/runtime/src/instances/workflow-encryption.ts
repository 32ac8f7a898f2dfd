import { Inject, Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { EncryptedValue } from '@waymark/core/adapter';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Options of `reencrypt`. */
export interface ReencryptOptions {
  /** Instance id after which to continue: `next` of the previous call. @default from the beginning */
  readonly after?: string | undefined;
  /** Most instances to look at. @default 500 */
  readonly limit?: number;
}

/** Result of one call of `reencrypt`. */
export interface ReencryptResult {
  /** Number of instances that were rewritten. */
  readonly rewritten: number;
  /** Ids of instances that could not be rewritten, because their key is missing or another key has its id. */
  readonly failed: readonly string[];
  /** Value for `after` of the next call; undefined if there are no more instances. */
  readonly next: string | undefined;
}

/** Manages the values that are encrypted at rest. */
@Injectable()
export class WorkflowEncryption {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly bursts: BurstExecutor,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /**
   * Reads the keys from the provider again, on this node. Does nothing without the option `encryption`.
   * @throws InvalidEncryptionKeysError (`WM3046`), and errors of the provider; the keys then stay unchanged
   */
  async reloadKeys(): Promise<void> {
    await this.options.encryption?.load();
  }

  /**
   * Rewrites instances whose values were encrypted with another key than the current one, so that the old key can be removed.
   * Each call processes a part of all instances, finished ones included, in order of id: call it until `next` is undefined.
   * Messages and stimuli are not rewritten, since they are deleted when they are served.
   */
  async reencrypt({ after, limit = 500 }: ReencryptOptions = {}): Promise<ReencryptResult> {
    const current = this.options.encryption?.currentKeyId;
    if (current === undefined) return { rewritten: 0, failed: [], next: undefined };
    const ids = await this.persistence.instances.findIds({}, { after, limit });
    const failed: string[] = [];
    let rewritten = 0;
    for (const id of ids) {
      const loaded = await this.persistence.instances.load(id);
      if (!loaded || !hasOtherKey(loaded.state, current)) continue;
      try {
        await this.bursts.rewrite(id);
        rewritten++;
      } catch (error) {
        // Deleted meanwhile.
        if (isWaymarkError(error, 'WM3001')) continue;
        if (!isWaymarkError(error, 'WM3044') && !isWaymarkError(error, 'WM3045')) throw error;
        failed.push(id);
      }
    }
    return { rewritten, failed, next: ids.length < limit ? undefined : ids.at(-1) };
  }
}

function hasOtherKey(value: unknown, keyId: string): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (value instanceof EncryptedValue) return value.keyId !== keyId;
  return Object.values(value).some((member) => hasOtherKey(member, keyId));
}
