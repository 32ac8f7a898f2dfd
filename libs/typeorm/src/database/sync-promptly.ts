import { fdatasync, fdatasyncSync, fstat } from 'node:fs';
// Those of the machine: it is its disk and its threads that take time.
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';

/** In milliseconds: longer than most syncs take. */
const PATIENCE_MS = 20;
const PROBE_MS = 5;

/** What can be asked of files; the first two wait for a thread. */
export interface FileSystem {
  fdatasync(file: number, done: (error: Error | null) => void): void;
  fstat(file: number, done: () => void): void;
  fdatasyncSync(file: number): void;
}

/**
 * Brings a file to the disk, in a thread of Node's pool. Password hashes and whatever else the application does in the pool may keep its
 * four threads for seconds, and commits would wait for them: if none is free, the file is synced here and now.
 * @param spare the same file, opened once more: each of both descriptors reports what the disk did not take, once
 */
export function syncPromptly(
  file: number,
  spare: number,
  system: FileSystem = { fdatasync, fstat, fdatasyncSync },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isEnded = false;
    let timer = setTimeout(probe, PATIENCE_MS);
    system.fdatasync(file, end);

    function end(error: Error | null): void {
      isEnded = true;
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    }

    /** Threads take work in turn: when this is answered, the sync has its thread, and it is the disk that takes its time. */
    function probe(): void {
      let isAnswered = false;
      system.fstat(file, () => (isAnswered = true));
      // Behind the answers that have come while the event loop was busy.
      const judge = (): void => {
        if (isEnded) return;
        if (isAnswered) timer = setTimeout(probe, PATIENCE_MS);
        else syncHere();
      };
      timer = setTimeout(() => setImmediate(judge), PROBE_MS);
    }

    function syncHere(): void {
      try {
        system.fdatasyncSync(spare);
        end(null);
      } catch (error) {
        end(error as Error);
      }
    }
  });
}
