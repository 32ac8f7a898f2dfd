import type { CompiledScript } from './script/compiled-script.js';

/** Analysed scripts by text, the least recently used dropped first. They outlive the sandbox that they were made with. */
export class ScriptCache {
  private readonly scripts = new Map<string, CompiledScript | Error>();

  constructor(private readonly maxCount: number) {}

  /** @throws what `make` answered as an error, also later: a text does not become valid by asking again */
  get(key: string, make: () => CompiledScript | Error): CompiledScript {
    let found = this.scripts.get(key);
    if (!found) {
      found = make();
      this.scripts.set(key, found);
      if (this.scripts.size > this.maxCount) this.scripts.delete(this.scripts.keys().next().value!);
    } else if (this.scripts.size > this.maxCount / 2) {
      this.scripts.delete(key);
      this.scripts.set(key, found);
    }
    if (found instanceof Error) throw found;
    return found;
  }
}
