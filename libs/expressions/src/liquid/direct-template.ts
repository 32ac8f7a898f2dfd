import { type ExpressionScope } from '@waymark/core';
import { isInAnyCasing } from '@waymark/core/adapter';
import { Output, type Template, TypeGuards } from 'liquidjs';
import { numberText } from './liquid-decimal.js';
import { spelled } from './any-casing-view.js';
import { facts, readInput, readVariable } from './template-scope.js';

/** The text; `undefined` when the template engine has to render it. */
export type DirectTemplate = (scope: ExpressionScope) => string | undefined;

/** @param values what was read already, by slot; undefined where no variable is named twice */
type Reader = (scope: ExpressionScope, values: unknown[] | undefined) => unknown;

/** Text as it stands in the template, or what reads a value. */
type Part = string | Reader;

/**
 * A template of text and of values without filters, `Dear {{ Variables.Customer.name }}`, renders by putting the parts
 * together. The engine would walk it as generators, with a context and limits that nothing here needs: there is no loop.
 * The engine remains the parser, and renders everything else.
 *
 * Each variable is read once, whatever it is made of and how often the template names it.
 * @param maxLength a longer text is left to the engine, which refuses it
 */
export function compileDirectTemplate(templates: readonly Template[], maxLength: number): DirectTemplate | undefined {
  const parts: Part[] = [];
  const sources = new Map<string, Source>();
  for (const template of templates) {
    const part = compilePart(template, sources);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  const isEachOnce = [...sources.values()].every(({ uses }) => uses === 1);
  return (scope) => {
    try {
      return join(parts, scope, isEachOnce ? undefined : [], maxLength);
    } catch {
      // The engine fails as well, and says where.
      return undefined;
    }
  };
}

function join(
  parts: readonly Part[],
  scope: ExpressionScope,
  values: unknown[] | undefined,
  maxLength: number,
): string | undefined {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const value = part(scope, values);
    if (typeof value === 'string') text += value;
    else if (typeof value === 'number') text += numberText(value);
    // How lists and objects are shown is left to the engine.
    else if (typeof value === 'object' && value !== null) return undefined;
    else if (value !== null && value !== undefined) text += String(value);
  }
  // Until now it is made of its parts: nothing has been copied.
  return text.length > maxLength ? undefined : text;
}

function compilePart(template: Template, sources: Map<string, Source>): Part | undefined {
  const { token } = template;
  if (TypeGuards.isHTMLToken(token)) return token.getContent();
  if (!(template instanceof Output) || token.getText().includes('|')) return undefined;
  const [root, ...members] = pathOf(template) ?? [];
  if (root === undefined) return undefined;
  if (Object.hasOwn(facts, root)) return members.length === 0 ? facts[root] : undefined;
  const read = root === 'Variables' ? readVariable : root === 'Input' ? readInput : undefined;
  const name = members.shift();
  if (!read || name === undefined) return undefined;
  const source = sourceOf(`${root}.${name}`, sources, (scope) => read(scope, name));
  if (members.length === 0) return (scope, values) => source.read(scope, values);
  return (scope, values) => readMembers(source.read(scope, values), members);
}

function sourceOf(key: string, sources: Map<string, Source>, find: (scope: ExpressionScope) => unknown): Source {
  const source = sources.get(key) ?? new Source(sources.size, find);
  sources.set(key, source);
  source.uses++;
  return source;
}

/** A variable or an input that the template names. */
class Source {
  uses = 0;

  constructor(
    private readonly slot: number,
    private readonly find: (scope: ExpressionScope) => unknown,
  ) {}

  read(scope: ExpressionScope, values: unknown[] | undefined): unknown {
    if (values === undefined) return this.find(scope);
    const known = values[this.slot];
    // Null and undefined are both shown as nothing, and one of them has to mean that it was not read.
    return known === undefined ? (values[this.slot] = this.find(scope) ?? null) : known;
  }
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
    const own = isInAnyCasing(found) ? spelled(found, name) : name;
    if (!Object.hasOwn(found, own)) return undefined;
    found = (found as Record<string, unknown>)[own];
  }
  return found;
}
