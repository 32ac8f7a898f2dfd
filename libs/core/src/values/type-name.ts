/** One step of taking a type name apart. What is inside is text again, to be resolved in turn. */
export type TypeNameParts =
  | { readonly form: 'array' | 'nullable'; readonly of: string }
  /** `name` is without namespace and arity: `List` for ``System.Collections.Generic.List`1[[…]]``. */
  | { readonly form: 'generic'; readonly name: string; readonly args: readonly string[] }
  /** `namespace` is empty for an alias. */
  | { readonly form: 'simple'; readonly name: string; readonly namespace: string };

const UNREGISTERED = /^UnregisteredClrType:/i;
const GENERIC_ALIAS = /^([^<`]+)<(.+)>$/s;
const GENERIC_CLR = /^([^<`]+)`\d+\[(.+)\]$/s;

/**
 * Reads the spellings of types that occur in definitions: aliases with `?`, `[]` and `<…>`, CLR names with or without
 * an assembly, and either behind `UnregisteredClrType:`. Assembly, version and key are not part of a type's identity.
 */
export function parseTypeName(text: string): TypeNameParts {
  const name = withoutPrefix(text).trim();
  if (name.endsWith('[]')) return { form: 'array', of: name.slice(0, -2) };
  if (name.endsWith('?')) return { form: 'nullable', of: name.slice(0, -1) };
  const [head = '', ...assembly] = splitOutsideBrackets(name);
  if (assembly.length > 0) return parseTypeName(head);
  const generic = GENERIC_ALIAS.exec(name) ?? GENERIC_CLR.exec(name);
  if (generic) {
    return {
      form: 'generic',
      name: lastSegment(generic[1] ?? ''),
      args: splitOutsideBrackets(generic[2] ?? '').map(unwrap),
    };
  }
  const simple = lastSegment(name);
  return { form: 'simple', name: simple, namespace: name.slice(0, Math.max(0, name.length - simple.length - 1)) };
}

const withoutPrefix = (text: string): string => text.trim().replace(UNREGISTERED, '');

const lastSegment = (name: string): string => name.slice(name.lastIndexOf('.') + 1).trim();

/** CLR names put a type argument that names its assembly in brackets of its own: `[System.String, mscorlib]`. */
function unwrap(argument: string): string {
  const trimmed = argument.trim();
  return trimmed.startsWith('[') && trimmed.endsWith(']') ? trimmed.slice(1, -1) : trimmed;
}

function splitOutsideBrackets(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '<' || char === '[') depth++;
    else if (char === '>' || char === ']') depth--;
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
