import type { ActivityJson, DefinitionModel } from './definitions.js';

/** The type that the server writes in the place of one that it does not have. */
const PLACEHOLDER = 'Elsa.NotFoundActivity';
/** Where a flowchart keeps connections that leave such an activity. */
const ASIDE = 'notFoundConnections';

type Json = Readonly<Record<string, unknown>>;

/**
 * A definition with the activities of unknown types as they were written, and the connections that leave them. The server puts a placeholder
 * in their place, whose name is that of the type, and keeps the rest in a text: their authors would not find them again. On a save it does
 * so anew.
 * @param parse reads the text
 */
export const withHidden = <T extends Pick<DefinitionModel, 'root'>>(definition: T, parse: Parse): T =>
  readBy(definition, { parse, isPicture: false });

/** The same for a picture of instances, which name activities by the node ids of their placeholders. */
export const picturedWithHidden = <T extends Pick<DefinitionModel, 'root'>>(definition: T): T =>
  readBy(definition, { parse: JSON.parse, isPicture: true });

type Parse = (text: string) => unknown;

interface Reading {
  readonly parse: Parse;
  /** If false, node ids stay as the author's server has written them: the text is to be saved as it was. */
  readonly isPicture: boolean;
}

function readBy<T extends Pick<DefinitionModel, 'root'>>(definition: T, reading: Reading): T {
  const root = shown(definition.root, reading) as ActivityJson;
  return root === definition.root ? definition : { ...definition, root };
}

/** The same value where nothing is hidden in it. */
function shown(value: unknown, reading: Reading): unknown {
  if (typeof value !== 'object' || value === null || 'rawJSON' in value) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => shown(item, reading));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const json = value as Json;
  const original = json.type === PLACEHOLDER ? originalOf(json, reading) : undefined;
  if (original) return original;
  const members = Object.entries(json).map(([name, member]) => [name, shown(member, reading)] as const);
  const next = members.some(([name, member]) => member !== json[name]) ? (Object.fromEntries(members) as Json) : json;
  return withConnections(next);
}

/** Id and place are those of the placeholder: it may have got an id only then, and may have been moved since. */
function originalOf(placeholder: Json, { parse, isPicture }: Reading): Json | undefined {
  const original = parsed(placeholder.originalActivityJson, parse);
  if (typeof original?.type !== 'string' || original.type === PLACEHOLDER) return undefined;
  const { id, nodeId } = placeholder;
  const designer = (placeholder.metadata as Json | undefined)?.designer;
  return {
    ...original,
    ...(id === undefined ? {} : { id }),
    ...(isPicture && nodeId !== undefined ? { nodeId } : {}),
    ...(designer === undefined ? {} : { metadata: { ...(original.metadata as Json | undefined), designer } }),
  };
}

function parsed(text: unknown, parse: Parse): Json | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const json = parse(text);
    return typeof json === 'object' && json !== null ? (json as Json) : undefined;
  } catch {
    // Nothing can be shown of it but the placeholder.
    return undefined;
  }
}

/** Those of which an end is missing stay aside: nothing could be drawn of them. */
function withConnections(flowchart: Json): Json {
  const properties = flowchart.customProperties as Json | null | undefined;
  const aside = properties?.[ASIDE];
  if (!Array.isArray(aside) || aside.length === 0 || !Array.isArray(flowchart.activities)) return flowchart;
  const known = new Set((flowchart.activities as readonly (Json | null)[]).map((activity) => activity?.id));
  const isWhole = ({ source, target }: Connection) => known.has(source?.activity) && known.has(target?.activity);
  const whole = (aside as readonly Connection[]).filter(isWhole);
  if (whole.length === 0) return flowchart;
  const rest = (aside as readonly Connection[]).filter((connection) => !isWhole(connection));
  const connections = (flowchart.connections ?? []) as readonly unknown[];
  return {
    ...flowchart,
    customProperties: { ...properties, [ASIDE]: rest },
    connections: [...connections, ...whole],
  };
}

interface Connection {
  readonly source?: { readonly activity?: unknown };
  readonly target?: { readonly activity?: unknown };
}
