import { Inject, Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { EncryptedValue } from '@waymark/core/adapter';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** What `reencrypt` goes through. */
export interface ReencryptOptions {
  /** Goes on behind this instance id: `next` of the call before. @default from the beginning */
  readonly after?: string | undefined;
  /** Most instances to look at. @default 500 */
  readonly limit?: number;
}

/** What one call of `reencrypt` has done. */
export interface ReencryptResult {
  /** Instances that were written anew. */
  readonly rewritten: number;
  /** Ids of instances that could not be: their key is gone, or another one has its id. */
  readonly failed: readonly string[];
  /** For `after` of the next call. Undefined: there are no more. */
  readonly next: string | undefined;
}

/** Looks after what is encrypted at rest. */
@Injectable()
export class WorkflowEncryption {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly bursts: BurstExecutor,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /**
   * Asks the provider for its keys again, on this node. Without the option `encryption` nothing happens.
   * @throws InvalidEncryptionKeysError (`WM3046`), and what the provider throws; then the keys stay as they were
   */
  async reloadKeys(): Promise<void> {
    await this.options.encryption?.load();
  }

  /**
   * Writes instances anew whose values were encrypted with another key than the current one, so that it can be given up. A part
   * of all instances in each call, in order of id, finished ones included: call it until there is no `next`. Messages and stimuli
   * are not looked at, which are gone when they are served.
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
