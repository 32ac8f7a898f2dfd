import { RouteTemplateError } from './route-template-error.js';
import { type Constraint, parseConstraint } from './route-constraints.js';
import { RouteExpressions } from './route-expression.js';
import { closingBrace } from './map-template.js';

/** A `{parameter}` of a template. */
export interface RouteParameter {
  readonly name: string;
  readonly kind: 'required' | 'optional' | 'rest';
  readonly defaultValue?: string;
  readonly constraints: readonly Constraint[];
}

export type SegmentPart = { readonly literal: string } | { readonly parameter: RouteParameter };
export type Segment = readonly SegmentPart[];

/** A path template as ASP.NET writes it: `orders/{id:int}/{*rest}`. Literals match in any casing. */
export interface RouteTemplate {
  readonly segments: readonly Segment[];
  /** The template without parameter names: equal keys match the same paths. */
  readonly key: string;
  /** How large its regular expressions are when compiled; 0: it has none. */
  readonly instructions: number;
}

export const isParameter = (part: SegmentPart): part is { readonly parameter: RouteParameter } => 'parameter' in part;

/** Characters. Reading one that is much longer takes time; paths that long are refused by servers anyway. */
const LONGEST_TEMPLATE = 4000;

/**
 * Reads a template. Expressions take up to 20 ms to compile, and each path is read several times until it is served: for each of its
 * methods when it is published, and then for the table. So those that were read last are kept.
 * @throws RouteTemplateError
 */
export function parseTemplate(text: string): RouteTemplate {
  const known = kept.get(text);
  if (known) return known;
  const template = readTemplate(text);
  if (template.instructions > 0) keep(text, template);
  return template;
}

/** With expressions only, the oldest first. */
const kept = new Map<string, RouteTemplate>();
const MOST_KEPT = 50;

function keep(text: string, template: RouteTemplate): void {
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(text, template);
}

function readTemplate(text: string): RouteTemplate {
  if (text.length > LONGEST_TEMPLATE)
    throw new RouteTemplateError(text, `it is longer than ${LONGEST_TEMPLATE} characters`);
  const path = text.trim().replace(/^~?\/+|\/+$/g, '');
  if (path.includes('//')) throw new RouteTemplateError(text, 'it contains an empty segment (//)');
  const expressions = new RouteExpressions();
  const segments = path === '' ? [] : splitSegments(path).map((segment) => parseSegment(segment, text, expressions));
  checkParameters(segments, text);
  return { segments, key: `/${segments.map(segmentKey).join('/')}`, instructions: expressions.instructions };
}

/** Splits at slashes outside braces: a regex constraint may contain one. */
function splitSegments(path: string): string[] {
  const segments: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < path.length; i++) {
    const char = path[i]!;
    if ((char === '{' || char === '}') && path[i + 1] === char) i++;
    else if (char === '{') depth++;
    else if (char === '}') depth--;
    else if (char === '/' && depth === 0) {
      segments.push(path.slice(start, i));
      start = i + 1;
    }
  }
  segments.push(path.slice(start));
  return segments;
}

function parseSegment(segment: string, template: string, expressions: RouteExpressions): Segment {
  const parts: SegmentPart[] = [];
  let literal = '';
  for (let i = 0; i < segment.length; i++) {
    const char = segment[i]!;
    if ((char === '{' || char === '}') && segment[i + 1] === char) {
      literal += char;
      i++;
    } else if (char === '{') {
      const end = closingBrace(segment, i + 1);
      if (end < 0) throw new RouteTemplateError(template, `a brace is not closed in '${segment}'`);
      if (literal) parts.push({ literal: literal.toLowerCase() });
      literal = '';
      parts.push({ parameter: parseParameter(segment.slice(i + 1, end), template, expressions) });
      i = end;
    } else if (char === '}') {
      throw new RouteTemplateError(template, `a brace is not opened in '${segment}'`);
    } else literal += char;
  }
  if (literal) parts.push({ literal: literal.toLowerCase() });
  return parts;
}

function parseParameter(source: string, template: string, expressions: RouteExpressions): RouteParameter {
  const text = source.replaceAll('{{', '{').replaceAll('}}', '}');
  const match = /^(\*{0,2})([^:=?*/{}]+)(.*)$/s.exec(text);
  if (!match) throw new RouteTemplateError(template, `'{${source}}' has no parameter name`);
  const [, stars, name, tail] = match as unknown as [string, string, string, string];
  const { constraints, defaultValue, optional } = parseTail(tail, template);
  const kind = stars ? 'rest' : optional ? 'optional' : 'required';
  const parsed = constraints.map((constraint) => parseConstraint(constraint, template, expressions));
  return { name: name.trim(), kind, defaultValue, constraints: parsed };
}

/** `:int:range(1,5)=3` or `:int?` */
function parseTail(
  tail: string,
  template: string,
): { constraints: string[]; defaultValue?: string; optional: boolean } {
  const constraints: string[] = [];
  let rest = tail;
  while (rest.startsWith(':')) {
    let depth = 0;
    let end = 1;
    for (; end < rest.length; end++) {
      const char = rest[end]!;
      if (char === '\\') end++;
      else if (char === '(') depth++;
      else if (char === ')') depth--;
      else if (depth === 0 && /[:=?]/.test(char)) break;
    }
    constraints.push(rest.slice(1, end));
    rest = rest.slice(end);
  }
  if (rest.startsWith('=')) return { constraints, defaultValue: rest.slice(1), optional: false };
  if (rest !== '' && rest !== '?')
    throw new RouteTemplateError(template, `'${tail}' is not a constraint, default or '?'`);
  return { constraints, optional: rest === '?' };
}

function checkParameters(segments: readonly Segment[], template: string): void {
  const names = new Set<string>();
  segments.forEach((segment, index) => {
    segment.forEach((part, i) => {
      if (!isParameter(part)) return;
      const { name, kind } = part.parameter;
      if (names.has(name.toLowerCase())) throw new RouteTemplateError(template, `parameter '${name}' occurs twice`);
      names.add(name.toLowerCase());
      if (kind === 'rest' && (index < segments.length - 1 || segment.length > 1))
        throw new RouteTemplateError(template, `'{*${name}}' must be the last segment, alone`);
      const before = segment[i - 1];
      if (before && isParameter(before))
        throw new RouteTemplateError(template, `parameters touch each other before '${name}'`);
    });
  });
}

function segmentKey(segment: Segment): string {
  return segment.map((part) => (isParameter(part) ? parameterKey(part.parameter) : part.literal)).join('');
}

function parameterKey({ kind, constraints, defaultValue }: RouteParameter): string {
  const optional = kind === 'optional' || defaultValue !== undefined ? '?' : '';
  return `{${kind === 'rest' ? '*' : ''}${constraints.map((c) => `:${c.text}`).join('')}${optional}}`;
}
