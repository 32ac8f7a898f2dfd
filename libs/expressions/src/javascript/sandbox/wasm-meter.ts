import { append, BinaryReader, join, unsigned } from './wasm-binary.js';

/**
 * Rewrites a WebAssembly binary so that every loop pays from a counter, and an empty counter calls back.
 *
 * Why: QuickJS polls its interrupt handler from interpreted code only. A built-in that loops natively
 * (`Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)`, sorting long equal strings, a long `indexOf`) never polls,
 * so one expression could block the whole Node process without end. Nothing outside can interrupt WebAssembly of the same
 * thread; the binary has to do it itself.
 *
 * Added: a mutable global exported as {@link FUEL}; at the head of each `loop` a decrement and, at zero or below, a call of
 * an imported function without parameters; two functions that charge for `memory.copy` and `memory.fill` by size.
 * Existing indices do not move: everything new is appended. The cost is about a tenth in native code, nothing elsewhere.
 */
export const FUEL = 'waymarkFuel';

export interface MeteredBinary {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Module and name of the import that is called when the counter is empty; it keeps its own meaning otherwise. */
  readonly callback: { readonly module: string; readonly name: string };
}

const SECTION = { type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 } as const;
const I32 = 0x7f;
/** Bytes copied for the price of one loop round, as a power of two: both take about a nanosecond. */
const COPY_SHIFT = 4;

export function meterLoops(source: Uint8Array): MeteredBinary {
  const reader = new BinaryReader(source, 8);
  const sections: Section[] = [];
  while (reader.at < source.length) {
    const id = reader.byte();
    const size = reader.unsigned();
    sections.push({ id, body: source.subarray(reader.at, (reader.at += size)) });
  }
  const imports = readImports(bodyOf(sections, SECTION.import), readEmptyTypes(bodyOf(sections, SECTION.type)));
  const types = new BinaryReader(bodyOf(sections, SECTION.type)).unsigned();
  const functions = new BinaryReader(bodyOf(sections, SECTION.function)).unsigned();
  const globals = new BinaryReader(bodyOf(sections, SECTION.global)).unsigned();

  const fuel = unsigned(globals);
  const names: Names = {
    fuel,
    callback: unsigned(imports.callbackIndex),
    copy: unsigned(imports.functions + functions),
    fill: unsigned(imports.functions + functions + 1),
  };
  const appended: Record<number, number[][]> = {
    [SECTION.type]: [[0x60, 3, I32, I32, I32, 0]],
    [SECTION.function]: [unsigned(types), unsigned(types)],
    [SECTION.global]: [[I32, 1, 0x41, 0, 0x0b]],
    [SECTION.export]: [[FUEL.length, ...Buffer.from(FUEL), 3, ...fuel]],
  };
  const rewritten = sections.map(({ id, body }) => {
    const added = appended[id];
    const next = id === SECTION.code ? meterCode(body, names) : added ? append(body, added) : body;
    return [Uint8Array.of(id, ...unsigned(next.length)), next];
  });
  return { bytes: join([source.subarray(0, 8), ...rewritten.flat()]), callback: imports.callback };
}

interface Section {
  readonly id: number;
  readonly body: Uint8Array;
}

/** Encoded indices of what is appended. */
interface Names {
  readonly fuel: number[];
  readonly callback: number[];
  readonly copy: number[];
  readonly fill: number[];
}

function bodyOf(sections: readonly Section[], id: number): Uint8Array {
  const found = sections.find((s) => s.id === id);
  if (!found) throw new Error(`The WebAssembly binary has no section ${id}.`);
  return found.body;
}

/** Indices of the types `() -> ()`. */
function readEmptyTypes(body: Uint8Array): ReadonlySet<number> {
  const r = new BinaryReader(body);
  const empty = new Set<number>();
  const count = r.unsigned();
  for (let i = 0; i < count; i++) {
    r.at++;
    const parameters = r.unsigned();
    r.at += parameters;
    const results = r.unsigned();
    r.at += results;
    if (parameters === 0 && results === 0) empty.add(i);
  }
  return empty;
}

function readImports(body: Uint8Array, emptyTypes: ReadonlySet<number>) {
  const r = new BinaryReader(body);
  let functions = 0;
  let found: { callback: { module: string; name: string }; callbackIndex: number } | undefined;
  const count = r.unsigned();
  for (let i = 0; i < count; i++) {
    const module = r.text();
    const name = r.text();
    const kind = r.byte();
    if (kind === 0) {
      if (emptyTypes.has(r.unsigned())) found ??= { callback: { module, name }, callbackIndex: functions };
      functions++;
    } else if (kind === 2) {
      const limits = r.byte();
      r.unsigned();
      if (limits & 1) r.unsigned();
    } else throw new Error(`The WebAssembly binary imports something of kind ${kind}, which is not expected here.`);
  }
  if (!found) throw new Error('The WebAssembly binary imports no function without parameters and results.');
  return { functions, ...found };
}

function meterCode(body: Uint8Array, names: Names): Uint8Array {
  const r = new BinaryReader(body);
  const count = r.unsigned();
  const parts: Uint8Array[] = [Uint8Array.from(unsigned(count + 2))];
  for (let i = 0; i < count; i++) {
    const size = r.unsigned();
    const code = meterFunction(body.subarray(r.at, (r.at += size)), names);
    parts.push(Uint8Array.from(unsigned(code.length)), code);
  }
  for (const instruction of [
    [0xfc, 10, 0, 0],
    [0xfc, 11, 0],
  ]) {
    // Parameters are dst, src or value, length: fuel -= length >> COPY_SHIFT, then the original instruction.
    const cost = [0x20, 2, 0x41, COPY_SHIFT, 0x76];
    const code = [0, ...charge(names, cost), 0x20, 0, 0x20, 1, 0x20, 2, ...instruction, 0x0b];
    parts.push(Uint8Array.from([...unsigned(code.length), ...code]));
  }
  return join(parts);
}

/** Code for: fuel -= cost; if (fuel <= 0) callback(). */
function charge(names: Names, cost: readonly number[]): number[] {
  const take = [0x23, ...names.fuel, ...cost, 0x6b, 0x24, ...names.fuel];
  return [...take, 0x23, ...names.fuel, 0x41, 0, 0x4c, 0x04, 0x40, 0x10, ...names.callback, 0x0b];
}

/** The interpreter: the one loop around a jump table for all of QuickJS's opcodes. It polls by itself, so it is left free. */
const INTERPRETER_TARGETS = 200;

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly by: Uint8Array;
}

function meterFunction(code: Uint8Array, names: Names): Uint8Array {
  const r = new BinaryReader(code);
  const edits: Edit[] = [];
  const check = Uint8Array.from(charge(names, [0x41, 1]));
  /** Open blocks: index of the edit for a loop, -1 for others. */
  const open: number[] = [];
  const free = new Set<number>();
  for (let groups = r.unsigned(); groups > 0; groups--) {
    r.unsigned();
    r.at++;
  }
  while (r.at < code.length) {
    const start = r.at;
    const opcode = r.byte();
    const detail = skipImmediates(r, opcode);
    if (opcode === 0x02 || opcode === 0x04) open.push(-1);
    else if (opcode === 0x03) open.push(edits.push({ from: r.at, to: r.at, by: check }) - 1);
    else if (opcode === 0x0b) open.pop();
    else if (opcode === 0x0e && detail! >= INTERPRETER_TARGETS) free.add(open.findLast((edit) => edit >= 0) ?? -1);
    else if (opcode === 0xfc && detail === 10)
      edits.push({ from: start, to: r.at, by: Uint8Array.of(0x10, ...names.copy) });
    else if (opcode === 0xfc && detail === 11)
      edits.push({ from: start, to: r.at, by: Uint8Array.of(0x10, ...names.fill) });
  }
  const parts: Uint8Array[] = [];
  let copied = 0;
  edits.forEach(({ from, to, by }, index) => {
    if (free.has(index)) return;
    parts.push(code.subarray(copied, from), by);
    copied = to;
  });
  parts.push(code.subarray(copied));
  return join(parts);
}

/** Steps over the operands of an instruction; answers the targets of a jump table, or the second opcode of a prefixed one. */
function skipImmediates(r: BinaryReader, opcode: number): number | undefined {
  switch (opcode) {
    case 0x02: // block, loop, if: a value type or a type index
    case 0x03:
    case 0x04:
    case 0x0c: // br, br_if, call, local.*, global.*, i32.const, i64.const
    case 0x0d:
    case 0x10:
    case 0x20:
    case 0x21:
    case 0x22:
    case 0x23:
    case 0x24:
    case 0x3f: // memory.size, memory.grow
    case 0x40:
    case 0x41:
    case 0x42:
      r.skip();
      return undefined;
    case 0x0e: {
      const targets = r.unsigned(); // br_table
      for (let i = 0; i <= targets; i++) r.skip();
      return targets;
    }
    case 0x11: // call_indirect
      r.skip();
      r.skip();
      return undefined;
    case 0x43:
      r.at += 4;
      return undefined;
    case 0x44:
      r.at += 8;
      return undefined;
    case 0xfc: {
      const second = r.unsigned();
      if (second === 10) r.at += 2;
      else if (second === 11) r.at += 1;
      else if (second > 7) break;
      return second;
    }
    default:
      if (opcode >= 0x28 && opcode <= 0x3e) {
        r.skip(); // alignment and offset of a load or store
        r.skip();
        return undefined;
      }
      if (PLAIN.has(opcode) || (opcode >= 0x45 && opcode <= 0xc4)) return undefined;
  }
  throw new Error(`Unknown WebAssembly instruction 0x${opcode.toString(16)}: the meter must learn it first.`);
}

/** unreachable, nop, else, end, return, drop, select. */
const PLAIN: ReadonlySet<number> = new Set([0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b]);
