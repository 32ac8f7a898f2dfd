import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityJson } from '@waymark/core';
import { literal } from './runtime-node.js';

let announce: (() => void) | undefined;
let release: () => void = () => {};
let fails = false;

/** The next execution of TakeLong waits until `letGo`. Resolves when it has begun. */
export function holdNext(): Promise<void> {
  return new Promise((resolve) => (announce = resolve));
}

export function letGo(): void {
  release();
}

/** The next execution of FailNext throws. */
export function failNext(): void {
  fails = true;
}

/** Until it ends, its burst cannot commit. */
@Injectable()
@Activity({ namespace: 'Test', kind: 'Task' })
export class TakeLong extends ActivityBase {
  async execute(): Promise<void> {
    if (!announce) return;
    const ended = new Promise<void>((resolve) => (release = resolve));
    announce();
    announce = undefined;
    await ended;
  }
}

@Injectable()
@Activity({ namespace: 'Test' })
export class FailNext extends ActivityBase {
  execute(): void {
    if (!fails) return;
    fails = false;
    throw new Error('It fails once.');
  }
}

export const takeLong = (more: object = {}): ActivityJson => ({ type: 'Test.TakeLong', id: 'T', ...more });
export const failingOnce: ActivityJson = { type: 'Test.FailNext', id: 'X' };
export const fork = (...branches: ActivityJson[]): ActivityJson => ({ type: 'Elsa.Fork', id: 'F', branches });
export const child = (type: string, definition: string, more: Record<string, unknown> = {}): ActivityJson => ({
  type,
  id: 'K',
  workflowDefinitionId: literal(definition),
  waitForCompletion: literal(true, 'Boolean'),
  ...more,
});
