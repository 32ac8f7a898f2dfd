import { Script } from './script.js';

/** Scripts by text, the least recently used dropped first. */
export class ScriptCache {
  private readonly scripts = new Map<string, Script>();

  constructor(private readonly maxCount: number) {}

  get(source: string): Script {
    let script = this.scripts.get(source);
    if (script) this.scripts.delete(source);
    else script = new Script(source);
    this.scripts.set(source, script);
    if (this.scripts.size > this.maxCount) this.scripts.delete(this.scripts.keys().next().value!);
    return script;
  }
}
