import { isPlainObject, prop } from '../values/plain-object.js';
import type { Reading } from './definition-context.js';
import { readExpression } from './expression-json.js';
import { integerMember, join, listMember, requireObject, textMember, type JsonObject } from './json-members.js';
import { readVariableReference } from './variable-json.js';
import { bareCondition, wrappedCondition } from './wrapped-condition.js';
import { readInput } from './wrapped-values.js';
import type { ActivityJson } from './workflow-definition.js';

/** Reads a nested activity; null and undefined give null. */
export type ChildReading = (json: unknown, at: string) => ActivityJson | null;

export interface ChildSlot {
  readonly port: string;
  /** Path below the node, e.g. `cases[0].activity`. */
  readonly path: string;
  readonly child: ActivityJson;
}

/** A member of an activity whose JSON is neither an input nor an output, a port or a list of activities. */
export interface SpecialMember {
  read(owner: JsonObject, name: string, at: string, child: ChildReading, run: Reading): unknown;
  /** Activities inside the canonical form. */
  children?(value: unknown, name: string): ChildSlot[];
  /** Expressions inside the canonical form, with their path below the node. */
  expressions?(value: unknown, name: string): { path: string; expression: unknown }[];
}

function listOf(
  read: (item: JsonObject, at: string, child: ChildReading, run: Reading) => JsonObject,
): SpecialMember['read'] {
  return (owner, name, at, child, run) =>
    listMember(owner, name, at).flatMap((item, i) => {
      const path = `${join(at, name)}[${i}]`;
      run.countActivity();
      return item === null || item === undefined ? [] : [read(requireObject(item, path), path, child, run)];
    });
}

function items(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isPlainObject(item)) : [];
}

function slots(
  value: unknown,
  name: string,
  members: readonly string[],
  portOf: (item: JsonObject, member: string) => string,
): ChildSlot[] {
  return items(value).flatMap((item, i) =>
    members.flatMap((member) => {
      const child = item[member];
      return isPlainObject(child)
        ? [{ port: portOf(item, member), path: `${name}[${i}].${member}`, child: child as ActivityJson }]
        : [];
    }),
  );
}

const conditions: SpecialMember['expressions'] = (value, name) =>
  items(value).map((item, i) => ({ path: `${name}[${i}].condition`, expression: item.condition }));

/** `{ label, condition, activity }` of Switch; the condition is a bare expression. */
export const switchCases: SpecialMember = {
  read: listOf((item, at, child, run) => ({
    label: textMember(item, 'label', at) ?? '',
    condition: readExpression(bareCondition(prop(item, 'condition')), `${at}.condition`, run),
    activity: child(prop(item, 'activity'), `${at}.activity`),
  })),
  children: (value, name) => slots(value, name, ['activity'], (item) => String(item.label)),
  expressions: conditions,
};

/** `{ errors, activity }` of Try: codes and names of errors, and what to do about them. */
export const catches: SpecialMember = {
  read: listOf((item, at, child) => ({
    errors: listMember(item, 'errors', at).map(String),
    activity: child(prop(item, 'activity'), `${at}.activity`),
  })),
  children: (value, name) =>
    slots(value, name, ['activity'], (item) => (Array.isArray(item.errors) ? item.errors.join(', ') : '')),
};

/** `{ label, condition }` of FlowSwitch: each label is an outcome. */
export const flowSwitchCases: SpecialMember = {
  read: listOf((item, at, _child, run) => ({
    label: textMember(item, 'label', at) ?? '',
    condition: readExpression(bareCondition(prop(item, 'condition')), `${at}.condition`, run),
  })),
  expressions: conditions,
};

/** `{ statusCode, activity }` of SendHttpRequest; a bare number is a code without an activity. */
export const statusCodeCases: SpecialMember = {
  read: (owner, name, at, child, run) =>
    listMember(owner, name, at).flatMap((item, i) => {
      const path = `${join(at, name)}[${i}]`;
      run.countActivity();
      if (item === null || item === undefined) return [];
      const json = typeof item === 'object' ? requireObject(item, path) : { statusCode: item };
      return [
        {
          statusCode: integerMember(json, 'statusCode', path) ?? 0,
          activity: child(prop(json, 'activity'), `${path}.activity`),
        },
      ];
    }),
  children: (value, name) => slots(value, name, ['activity'], (item) => String(item.statusCode)),
};

/** The variable of SetVariable. */
export const variableReference: SpecialMember = {
  read: (owner, name, at, _child, run) => {
    const value = prop(owner, name);
    return isPlainObject(value) ? readVariableReference(value, join(at, name), run) : null;
  },
};

const BOOLEAN = { typeName: 'Boolean', isSynthetic: false };

/** `{ name, entry, exit }` of StateMachine. */
export const states: SpecialMember = {
  read: listOf((item, at, child) => ({
    ...item,
    name: textMember(item, 'name', at) ?? '',
    entry: child(prop(item, 'entry'), `${at}.entry`),
    exit: child(prop(item, 'exit'), `${at}.exit`),
  })),
  children: (value, name) => slots(value, name, ['entry', 'exit'], (item, member) => `${String(item.name)}.${member}`),
};

/** `{ name, displayName, from, to, trigger, condition, action }` of StateMachine; the condition is a wrapped input. */
export const transitions: SpecialMember = {
  read: listOf((item, at, child, run) => ({
    ...item,
    name: textMember(item, 'name', at) ?? null,
    displayName: textMember(item, 'displayName', at) ?? null,
    from: textMember(item, 'from', at) ?? null,
    to: textMember(item, 'to', at) ?? null,
    trigger: child(prop(item, 'trigger'), `${at}.trigger`),
    condition: readInput(wrappedCondition(prop(item, 'condition')), BOOLEAN, `${at}.condition`, run),
    action: child(prop(item, 'action'), `${at}.action`),
  })),
  children: (value, name) =>
    slots(value, name, ['trigger', 'action'], (item, member) => `${String(item.name)}.${member}`),
  expressions: (value, name) =>
    items(value).map((item, i) => ({
      path: `${name}[${i}].condition`,
      expression: isPlainObject(item.condition) ? item.condition.expression : undefined,
    })),
};
