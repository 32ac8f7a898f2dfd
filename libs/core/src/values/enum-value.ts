import type { ValueType } from './value-type.js';

const NUMERIC_TEXT = /^\s*[+-]?\d+\s*$/;

/**
 * Member an enum value stands for: its name in any casing, or its number, also as text. A number without a member stays
 * a number, as in .NET (HTTP status 299 is legal). `undefined` for other text.
 */
export function enumMember(value: string | number, type: ValueType): string | number | undefined {
  const members = type.members ?? [];
  if (typeof value === 'number') return nameOf(value, type) ?? value;
  if (members.includes(value)) return value;
  if (NUMERIC_TEXT.test(value)) return enumMember(Number(value), type);
  const wanted = value.trim().toLowerCase();
  return members.find((member) => member.toLowerCase() === wanted);
}

function nameOf(number: number, type: ValueType): string | undefined {
  const { members = [], values } = type;
  return values ? members.find((member) => values[member] === number) : members[number];
}
