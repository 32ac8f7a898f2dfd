import { Script } from './script.js';

/**
 * Characters of all texts together: what is made of a text takes as much once more. A workflow may make the scripts that it runs, each of
 * them another one with a megabyte of data.
 */
const MAX_CHARACTERS = 10_000_000;

/** Scripts by text, the least recently used dropped first. */
export class ScriptCache {
  private readonly scripts = new Map<string, Script>();
  private characters = 0;

  constructor(private readonly maxCount: number) {}

  get(source: string): Script {
    let script = this.scripts.get(source);
    if (script) this.scripts.delete(source);
    else {
      script = new Script(source);
      this.characters += source.length;
    }
    this.scripts.set(source, script);
    this.makeRoom(source);
    return script;
  }

  /** For the newest one, which is kept whatever its length. */
  private makeRoom(newest: string): void {
    if (this.scripts.size <= this.maxCount && this.characters <= MAX_CHARACTERS) return;
    for (const source of this.scripts.keys()) {
      if (source === newest || (this.scripts.size <= this.maxCount && this.characters <= MAX_CHARACTERS)) return;
      this.scripts.delete(source);
      this.characters -= source.length;
    }
  }
}
