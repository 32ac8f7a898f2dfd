import type { ExpressionScope } from '@waymark/core';
import { Output, type Template, TypeGuards } from 'liquidjs';
import { facts, readInput, readVariable } from './template-scope.js';

/** The text; `undefined` when the template engine has to render it. */
export type DirectTemplate = (scope: ExpressionScope) => string | undefined;

/** @param values what was read already, by slot */
type Reader = (scope: ExpressionScope, values: unknown[]) => unknown;

/**
 * A template of text and of values without filters, `Dear {{ Variables.Customer.name }}`, renders by putting the parts
 * together. The engine would walk it as generators, with a context and limits that nothing here needs: there is no loop.
 * The engine remains the parser, and renders everything else.
 *
 * Each variable is read once, whatever it is made of and how often the template names it.
 * @param maxLength a longer text is left to the engine, which refuses it
 */
export function compileDirectTemplate(templates: readonly Template[], maxLength: number): DirectTemplate | undefined {
  const parts: Reader[] = [];
  const slots = new Map<string, number>();
  for (const template of templates) {
    const part = compilePart(template, slots);
    if (!part) return undefined;
    parts.push(part);
  }
  return (scope) => {
    try {
      return join(parts, scope, maxLength);
    } catch {
      // The engine fails as well, and says where.
      return undefined;
    }
  };
}

function join(parts: readonly Reader[], scope: ExpressionScope, maxLength: number): string | undefined {
  let text = '';
  const values: unknown[] = [];
  for (const part of parts) {
    const value = part(scope, values);
    // How lists and objects are shown is left to the engine.
    if (typeof value === 'object' && value !== null) return undefined;
    text += value === null || value === undefined ? '' : String(value);
    if (text.length > maxLength) return undefined;
  }
  return text;
}

function compilePart(template: Template, slots: Map<string, number>): Reader | undefined {
  const { token } = template;
  if (TypeGuards.isHTMLToken(token)) {
    const text = token.getContent();
    return () => text;
  }
  if (!(template instanceof Output) || token.getText().includes('|')) return undefined;
  const [root, ...members] = pathOf(template) ?? [];
  if (root === undefined) return undefined;
  if (Object.hasOwn(facts, root)) return members.length === 0 ? facts[root] : undefined;
  const read = root === 'Variables' ? readVariable : root === 'Input' ? readInput : undefined;
  const name = members.shift();
  if (!read || name === undefined) return undefined;
  const readOnce = onceFor(slotOf(`${root}.${name}`, slots), (scope) => read(scope, name));
  if (members.length === 0) return readOnce;
  return (scope, values) => readMembers(readOnce(scope, values), members);
}

function slotOf(key: string, slots: Map<string, number>): number {
  const slot = slots.get(key) ?? slots.size;
  slots.set(key, slot);
  return slot;
}

function onceFor(slot: number, read: (scope: ExpressionScope) => unknown): Reader {
  return (scope, values) => (slot in values ? values[slot] : (values[slot] = read(scope)));
}

/** Names that the engine answers itself where there is no such member. */
const computed: ReadonlySet<string> = new Set(['size', 'first', 'last']);

function pathOf({ value }: Output): string[] | undefined {
  const [token, ...others] = value.initial.postfix;
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined || others.length > 0) return undefined;
  const names: string[] = [];
  for (const prop of token.props) {
    if (!TypeGuards.isWordToken(prop) && !TypeGuards.isQuotedToken(prop)) return undefined;
    if (computed.has(prop.content)) return undefined;
    names.push(prop.content);
  }
  return names;
}

/** Shown as objects are: by the engine. */
const LEFT_TO_ENGINE = {};

/** Own members only. Texts have some as well, which the engine knows. */
function readMembers(value: unknown, names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (found === null || found === undefined) return undefined;
    if (typeof found !== 'object') return LEFT_TO_ENGINE;
    if (!Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
