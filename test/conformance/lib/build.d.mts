// Types of build.mjs, for tests that build their definitions with it.
export type Json = Record<string, unknown>;
export type Activity = Json & { readonly id: string; readonly type: string };
export interface Wrapped {
  readonly typeName: string;
  readonly expression: Bare;
}
export interface Bare {
  readonly type: string;
  readonly value: unknown;
}
export interface Target {
  readonly typeName: string;
  readonly memoryReference: { readonly id: string };
}
export interface VariableModel {
  readonly id: string;
  readonly name: string;
  readonly typeName: string;
  readonly isArray: boolean;
  readonly storageDriverTypeName: string | null;
  readonly value?: string;
}
export type Model = Json & { readonly definitionId: string; readonly name: string };
/** Further members of a node: name, start (can start the workflow), async, version, custom properties. */
export interface NodeOptions {
  readonly name?: string;
  readonly start?: boolean;
  readonly async?: boolean;
  readonly version?: number;
  readonly custom?: Json;
}
type Make<Arguments extends unknown[]> = (id: string, ...rest: Arguments) => Activity;
type Child = Activity | undefined;

export function lit(value: unknown, typeName?: string): Wrapped;
export function js(code: string, typeName?: string): Wrapped;
export function liquid(code: string, typeName?: string): Wrapped;
export function cs(code: string, typeName?: string): Wrapped;
export function obj(value: unknown, typeName?: string): Wrapped;
export function fromVar(variable: VariableModel, typeName?: string): Wrapped;
export function fromInput(name: string, typeName?: string): Wrapped;
export function expr(type: string, value: unknown): Bare;
export function jsx(code: string): Bare;
export function out(variable: string | VariableModel, typeName?: string): Target;
export const STORAGE: string;
export function variable(
  name: string,
  typeName?: string,
  value?: unknown,
  o?: { id?: string; isArray?: boolean; storage?: string | null },
): VariableModel;
export function inputDef(name: string, type?: string, o?: Json): Json;
export function outputDef(name: string, type?: string, o?: Json): Json;

export function act(type: string, id: string, props?: object, o?: NodeOptions): Activity;
export const writeLine: Make<[text: unknown, o?: NodeOptions]>;
export const W: Make<[text: unknown, o?: NodeOptions]>;
export function start(id?: string): Activity;
export function end(id?: string): Activity;
export function finish(id?: string): Activity;
export function breakOut(id?: string): Activity;
export const complete: Make<[outcomes?: unknown]>;
export const setVariable: Make<[variable: VariableModel, value: unknown]>;
export const setOutput: Make<[name: string, value: unknown]>;
export const runJs: Make<[script: string, o?: NodeOptions & { outcomes?: string[]; result?: Target }]>;
export const fault: Make<[message: string, o?: { code?: string; category?: string; faultType?: string }]>;
export const correlate: Make<[value: unknown]>;
export const setName: Make<[value: unknown]>;

export const seq: Make<[activities: Activity[], o?: NodeOptions & { variables?: VariableModel[] }]>;
export const parallel: Make<[activities: Activity[]]>;
export const iff: Make<[condition: Wrapped, then?: Child, otherwise?: Child]>;
export const whileLoop: Make<[condition: Wrapped, body?: Child]>;
export const forLoop: Make<
  [
    o: {
      start: number | Wrapped;
      end: number | Wrapped;
      step?: number | Wrapped;
      inclusive?: boolean;
      currentValue?: Target;
    },
    body?: Child,
  ]
>;
export function list(items: readonly unknown[]): Wrapped;
export const forEach: Make<[items: Wrapped, body?: Child, o?: { currentValue?: Target }]>;
export const parallelForEach: Make<[items: Wrapped, body?: Child]>;
export const switchOn: Make<
  [cases: (readonly [string, Bare, Child?])[], o?: { mode?: string | number; default?: Child }]
>;
export const fork: Make<[branches: Activity[], joinMode?: string | number]>;

export const decision: Make<[condition: boolean | Wrapped, o?: NodeOptions]>;
export const flowSwitch: Make<[cases: (readonly [string, Bare])[], mode?: string]>;
export const flowFork: Make<[branches: string[]]>;
export const flowJoin: Make<[mode: string, o?: NodeOptions]>;

export const event: Make<[name: unknown, o?: NodeOptions & { result?: Target }]>;
export const publishEvent: Make<[name: unknown, o?: { correlationId?: unknown; local?: boolean; payload?: Wrapped }]>;
export const runTask: Make<[name: unknown, o?: { payload?: Wrapped; result?: Target }]>;
export const delay: Make<[timeSpan: unknown, o?: NodeOptions]>;
export const timer: Make<[interval: unknown, o?: NodeOptions]>;
export const cron: Make<[expression: unknown, o?: NodeOptions]>;
export const startAt: Make<[when: unknown, o?: NodeOptions]>;

export function dict(values: object): Wrapped;
interface ChildOptions {
  readonly wait?: boolean;
  readonly correlationId?: unknown;
  readonly input?: object;
  readonly result?: Target;
}
export const executeWorkflow: Make<[definitionId: unknown, o?: ChildOptions]>;
export const dispatchWorkflow: Make<[definitionId: unknown, o?: ChildOptions]>;
export const bulkDispatch: Make<
  [
    definitionId: unknown,
    items: Wrapped,
    o?: {
      wait?: boolean;
      input?: object;
      itemKey?: string;
      correlationIdFunction?: Wrapped;
      childCompleted?: Child;
      childFaulted?: Child;
    },
  ]
>;
export const subWorkflow: Make<
  [child: { definitionId: string; id?: string; name: string; version?: number }, props?: object, o?: NodeOptions]
>;

export const flow: Make<
  [activities: Activity[], edges?: (string | readonly [string, string, string?])[], o?: { start?: unknown }]
>;
export const chain: Make<[activities: Activity[], extra?: (readonly [string, string, string?])[]]>;
export function workflow(definitionId: string, root: Activity, o?: Json): Model;
