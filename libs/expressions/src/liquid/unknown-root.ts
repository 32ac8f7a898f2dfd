import type { ExpressionFault } from '@waymark/core';
import type { Template } from 'liquidjs';
import { ROOTS } from './template-scope.js';

/** A name that is not known here counts as nothing. */
const UNKNOWN_NAME = 'WM4096';
/** What loops have, and the engine does not declare. */
const OF_LOOPS: readonly string[] = ['parentloop'];
const MOST_SHOWN = 100;

/** The first name that a template reads and nothing gives a value: it is rendered as nothing, as of a template for another host. */
export function unknownRoot(templates: readonly Template[]): ExpressionFault | undefined {
  const name = firstFree(templates, new Names([...ROOTS, ...OF_LOOPS]));
  if (name === undefined) return undefined;
  const shown = name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}…` : name;
  return {
    code: UNKNOWN_NAME,
    message: `Liquid has no '${shown}' here, so it is rendered as nothing. ${adviceOn(name)}`,
  };
}

function adviceOn(name: string): string {
  if (name.toLowerCase() === 'configuration')
    return "For settings of the host, write {{ 'name' | secret }}, or set a variable.";
  const alike = name.length <= MOST_SHOWN ? ROOTS.find((root) => stemOf(root) === stemOf(name)) : undefined;
  return alike === undefined ? `It has ${ROOTS.join(', ')}.` : `Did you mean '${alike}'?`;
}

/** Authors write Variable and Inputs, as .NET code of Elsa does. */
const stemOf = (name: string): string => name.toLowerCase().replace(/s$/, '');

/** Names of a block of a template, and of those around it. */
class Names {
  private readonly own: Set<string>;

  constructor(
    own: Iterable<string> = [],
    private readonly outer?: Names,
  ) {
    this.own = new Set(own);
  }

  /** What a block assigns is there after it as well. */
  add(name: string): void {
    if (this.outer) this.outer.add(name);
    else this.own.add(name);
  }

  has(name: string): boolean {
    return this.own.has(name) || this.outer?.has(name) === true;
  }
}

/**
 * The engine has an analysis of its own, which looks for the line of each name from the beginning of the text: a template of a hundred
 * thousand characters would hold the process for seconds. Blocks are at most a hundred levels deep.
 */
function firstFree(templates: Iterable<Template>, names: Names): string | undefined {
  for (const template of templates) {
    for (const argument of template.arguments?.() ?? []) {
      const free = freeIn(argument, names);
      if (free !== undefined) return free;
    }
    for (const { content } of template.localScope?.() ?? []) names.add(content);
    if (!template.children || template.partialScope) continue;
    const block = [...(template.blockScope?.() ?? [])];
    const free = firstFree(
      resultOf(template.children(false, true)),
      block.length > 0 ? new Names(block, names) : names,
    );
    if (free !== undefined) return free;
  }
  return undefined;
}

function resultOf<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Of what the parser makes of a value: operands of an expression, ends of a range, members of a path, arguments of filters. */
interface Part {
  readonly initial?: { readonly postfix: readonly unknown[] };
  readonly filters?: readonly { readonly args: readonly unknown[] }[];
  readonly lhs?: unknown;
  readonly rhs?: unknown;
  readonly props?: readonly Part[];
  readonly content?: unknown;
}

/** Without recursion: a path of ten thousand brackets is parsed. */
function freeIn(argument: unknown, names: Names): string | undefined {
  const open: unknown[] = [argument];
  while (open.length > 0) {
    const part = open.pop() as Part | null | undefined;
    if (typeof part !== 'object' || part === null) continue;
    // The arguments of a filter that have names.
    if (Array.isArray(part)) open.push(part[1]);
    else if (part.props) {
      const [root, ...members] = part.props;
      if (!root?.props && typeof root?.content === 'string' && !names.has(root.content)) return root.content;
      open.push(...members.filter(({ props }) => props), root?.props && root);
    } else {
      open.push(...(part.initial?.postfix ?? []), part.lhs, part.rhs);
      for (const { args } of part.filters ?? []) open.push(...args);
    }
  }
  return undefined;
}
