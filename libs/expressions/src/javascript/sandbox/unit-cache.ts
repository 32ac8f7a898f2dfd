import type { QuickJSHandle } from 'quickjs-emscripten';
import type { CompiledScript } from '../script/compiled-script.js';

/** Functions made from scripts in one context, the least recently used dropped first. */
export class UnitCache {
  private readonly units = new Map<CompiledScript, QuickJSHandle>();
  private characters = 0;

  constructor(
    private readonly maxCount: number,
    private readonly maxCharacters: number,
  ) {}

  get(script: CompiledScript): QuickJSHandle | undefined {
    const unit = this.units.get(script);
    if (unit && this.units.size > this.maxCount / 2) {
      // Order matters only once the cache fills up.
      this.units.delete(script);
      this.units.set(script, unit);
    }
    return unit;
  }

  add(script: CompiledScript, unit: QuickJSHandle): void {
    this.units.set(script, unit);
    this.characters += script.code.length;
    for (const [oldest, handle] of this.units) {
      if (oldest === script || (this.units.size <= this.maxCount && this.characters <= this.maxCharacters)) break;
      this.units.delete(oldest);
      this.characters -= oldest.code.length;
      handle.dispose();
    }
  }

  dispose(): void {
    for (const unit of this.units.values()) unit.dispose();
    this.units.clear();
  }
}
