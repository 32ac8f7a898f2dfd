import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { FUEL, meterLoops } from './wasm-meter.js';

const leb = (n: number): number[] => (n < 128 ? [n] : [(n & 0x7f) | 0x80, ...leb(n >> 7)]);
const section = (id: number, ...content: number[]): number[] => [id, ...leb(content.length), ...content];
const text = (t: string): number[] => [t.length, ...Buffer.from(t)];

/** Exports `spin(n)`, which counts a local down in a loop, and `fill(length)`; memory and `tick` are imported. */
const binary = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 2, 0x60, 0, 0, 0x60, 1, 0x7f, 0),
  ...section(2, 2, ...text('m'), ...text('tick'), 0, 0, ...text('m'), ...text('memory'), 2, 0, 1),
  ...section(3, 2, 1, 1),
  ...section(6, 1, 0x7f, 0, 0x41, 7, 0x0b),
  ...section(7, 2, ...text('spin'), 0, 1, ...text('fill'), 0, 2),
  ...section(
    10,
    2,
    ...[16, 0, 0x03, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x01, 0x01, 0x0b],
    ...[12, 0, 0x41, 0, 0x41, 1, 0x20, 0, 0xfc, 11, 0, 0x01, 0x0b],
  ),
]);

describe('a metered binary', () => {
  let exports: { spin(n: number): void; fill(length: number): void; [FUEL]: WebAssembly.Global<'i32'> };
  let ticks = 0;
  let onTick = (): void => {};
  beforeAll(async () => {
    const { bytes, callback } = meterLoops(binary);
    expect(callback).toEqual({ module: 'm', name: 'tick' });
    const memory = new WebAssembly.Memory({ initial: 1 });
    const tick = (): void => {
      ticks++;
      onTick();
    };
    const { instance } = await WebAssembly.instantiate(bytes, { m: { tick, memory } });
    exports = instance.exports as unknown as typeof exports;
  });

  it('pays for each round of a loop', () => {
    exports[FUEL].value = 1000;
    exports.spin(300);
    expect(exports[FUEL].value).toBe(700);
    expect(ticks).toBe(0);
  });

  it('calls back as long as the fuel is used up', () => {
    exports[FUEL].value = 10;
    onTick = () => void (exports[FUEL].value = 10);
    exports.spin(100);
    expect(ticks).toBe(10);
  });

  it('is stopped by an error of the callback', () => {
    exports[FUEL].value = 10;
    onTick = () => {
      throw new Error('stop');
    };
    expect(() => exports.spin(1e9)).toThrow('stop');
  });

  it('pays for memory that it fills', () => {
    exports[FUEL].value = 10_000;
    exports.fill(16_000);
    expect(exports[FUEL].value).toBe(9000);
    onTick = () => void (ticks = -1);
    exports[FUEL].value = 10;
    exports.fill(16_000);
    expect(ticks).toBe(-1);
  });
});

describe('the binary of QuickJS', () => {
  it('can be metered: it has only instructions that the meter knows', async () => {
    const outer = createRequire(import.meta.url).resolve('quickjs-emscripten');
    const source = await readFile(createRequire(outer).resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
    const { bytes } = meterLoops(source);
    expect(WebAssembly.validate(bytes)).toBe(true);
    expect(bytes.length).toBeGreaterThan(source.length + 10_000);
  });

  it('the binary of QuickJS with unknown instructions is refused', () => {
    const broken = Uint8Array.from(binary);
    broken[broken.length - 2] = 0xfd;
    expect(() => meterLoops(broken)).toThrow('Unknown WebAssembly instruction 0xfd');
  });
});
