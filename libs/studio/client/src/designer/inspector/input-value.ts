import type { InputDescriptor } from '../../api/descriptors.js';

export interface Expression {
  readonly type: string;
  readonly value?: unknown;
}

interface Wrapped {
  readonly typeName?: string;
  readonly expression?: Expression | null;
}

/** Hints whose values are lists or objects: they are written as the JSON of an `Object` expression. */
const OBJECT_HINTS = new Set([
  'checklist',
  'multitext',
  'multi-text',
  'dynamic-outcomes',
  'dictionary',
  'multi-line-list',
]);

/** The language of the editor that belongs to the hint. */
export const plainType = ({ uiHint }: InputDescriptor): string => (OBJECT_HINTS.has(uiHint) ? 'Object' : 'Literal');

/** If true, the value is written in the hint's own editor, not in a script. */
export const isPlain = (type: string): boolean => type === 'Literal' || type === 'Object' || type === 'Json';

/** If true, the value is a variable or an input of the workflow, which is chosen. */
export const isReference = (type: string): boolean => type === 'Variable' || type === 'Input';

/** What an input of an activity holds. */
export function expressionOf(value: unknown, descriptor: InputDescriptor): Expression {
  if (!descriptor.isWrapped) return { type: plainType(descriptor), value };
  const { expression } = (value ?? {}) as Wrapped;
  return expression ?? { type: plainType(descriptor) };
}

/** The same with another expression; everything else that stands beside it stays. */
export function withExpression(value: unknown, descriptor: InputDescriptor, expression: Expression): unknown {
  if (!descriptor.isWrapped) return expression.value;
  // A language that was chosen stays, also before a variable is.
  if (isPlain(expression.type) && (expression.value === undefined || expression.value === '')) return null;
  return { typeName: descriptor.typeName, ...(value as object | null), expression };
}

/** Another language with what was written so far, as far as it is a text. */
export function inLanguage({ value }: Expression, type: string): Expression {
  if (isReference(type)) return { type };
  if (typeof value === 'string') return { type, value };
  return { type, value: value === undefined || value === null ? '' : JSON.stringify(value) };
}

/** Values are written as texts or as what they are: both are read. */
export const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : typeof value === 'object' && 'rawJSON' in value
        ? String(value.rawJSON)
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value);

export const isTrue = (value: unknown): boolean => value === true || textOf(value).toLowerCase() === 'true';

export function listOf(value: unknown): string[] {
  try {
    const list: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return Array.isArray(list) ? list.map(textOf) : [];
  } catch {
    return [];
  }
}

const NUMBERS = new Set(['Int16', 'Int32', 'Int64', 'Long', 'Single', 'Double', 'Decimal', 'Byte']);

/** What is wrong with a text for that type; `undefined` when nothing is. */
export function typeProblem(typeName: string, text: string): 'number' | 'timeSpan' | undefined {
  if (text === '') return undefined;
  if (NUMBERS.has(typeName)) return Number.isFinite(Number(text)) ? undefined : 'number';
  if (typeName === 'TimeSpan')
    return /^-?(\d+\.)?\d{1,2}:\d{2}(:\d{2}(\.\d{1,7})?)?$|^-?P/.test(text) ? undefined : 'timeSpan';
  return undefined;
}
