import type { VariableDefinition, WorkflowState } from '@waymark/core';
import {
  deserialize,
  type Entry,
  ITEMS_OF_PART,
  RESTING_LISTS,
  restingIds,
  type RestingListName,
  type RestingLists,
  RestingPart,
  withRestingLists,
} from '@waymark/core/adapter';
import type { Pause } from '../rows/stored-lines.js';
import { tooLargeOr } from '../rows/stored-text.js';
import { type ValueApart, ValueNotes } from '../rows/value-notes.js';
import { LEAST_REPEATS, PATH, VARIABLES } from './state-names.js';

/** Variables that many branches declare alike. */
export class SharedVariables {
  private definitions: VariableDefinition[] | undefined;

  constructor(readonly text: ValueApart) {}

  /** The same list for all who share it, as a burst leaves them. */
  read(): VariableDefinition[] {
    return (this.definitions ??= readApart<VariableDefinition[]>(this.text));
  }
}

/** An item of a state as text, which is written again as it is until a burst has read it. */
export class TextPart<T = unknown> extends RestingPart<T> {
  constructor(
    id: string,
    ownerId: string | undefined,
    readonly text: ValueApart,
    /** Of an execution that declares variables: they are not in the text. */
    readonly variables: SharedVariables | undefined,
  ) {
    super(id, ownerId);
  }

  protected make(): T {
    const value = readApart<T>(this.text);
    if (this.variables) Object.assign(value as object, { [VARIABLES]: this.variables.read() });
    return value;
  }
}

/** A state in parts: the long lists item by item, and all else as one text. */
export interface StateParts {
  readonly frame: ValueApart;
  readonly lists: Readonly<Record<RestingListName, readonly TextPart[]>>;
}

/** What a burst begins with; the values of the frame are its own. */
export function stateOf({ frame, lists }: StateParts): WorkflowState {
  return withRestingLists(readApart<WorkflowState>(frame), lists as unknown as RestingLists);
}

/**
 * The parts of a state: those that were at rest as they are, all others made text.
 * @returns undefined: only the codec can write one of them
 */
export async function partsOf(
  state: WorkflowState,
  lists: RestingLists,
  pause: Pause,
): Promise<StateParts | undefined> {
  const shared = new SharedLists();
  const parts: Partial<Record<RestingListName, TextPart[]>> = {};
  for (const name of RESTING_LISTS) {
    const list: TextPart[] = [];
    let made = 0;
    for (const entry of lists[name] as readonly Entry<Item>[]) {
      const part = entry instanceof RestingPart ? (entry as TextPart) : shared.partOf(name, entry);
      if (!part) return undefined;
      if (part === entry) shared.note(part);
      list.push(part);
      if (part === entry || ++made % ITEMS_OF_PART !== 0) continue;
      const turn = pause();
      if (turn) await turn;
    }
    parts[name] = list;
  }
  const frame = apart(withoutLists(state));
  return frame && { frame, lists: parts as StateParts['lists'] };
}

/** The text of a state as `serialize` writes it, with a line for each item. @throws ValueTooLargeError */
export function textOfParts({ frame, lists }: StateParts): string {
  const values: string[] = frame.notes === '' ? [] : [frame.notes];
  const anyCasing: string[] = frame.anyCasing.map((path) => JSON.stringify(path));
  const pieces: string[] = ['{"json":', frame.json.slice(0, -1)];
  const repeats = new Repeats(lists.activityExecutionContexts);
  let comma = frame.json.length > 2 ? ',' : '';
  for (const name of RESTING_LISTS) {
    pieces.push(comma, '"', name, '":[');
    comma = ',';
    const notes: string[] = [];
    const list = lists[name];
    for (let index = 0; index < list.length; index++) {
      const { text, variables } = list[index]!;
      pieces.push(index === 0 ? '\n' : '\n,');
      let itemNotes = text.notes;
      if (!variables) pieces.push(text.json);
      else if (repeats.isWritten(variables, index)) {
        pieces.push(text.json.slice(0, -1), `,"${VARIABLES}":`, variables.text.json, '}');
        if (variables.text.notes !== '')
          itemNotes = `${itemNotes}${itemNotes && ','}"${VARIABLES}":{${variables.text.notes}}`;
      } else pieces.push(text.json.slice(0, -1), `,"${VARIABLES}":null}`);
      if (itemNotes !== '') notes.push(`"${index}":{${itemNotes}}`);
      for (const path of text.anyCasing) anyCasing.push(JSON.stringify([name, index, ...path]));
    }
    pieces.push(list.length > 0 ? '\n]' : ']');
    if (notes.length > 0) values.push(`"${name}":{${notes.join(',')}}`);
  }
  pieces.push('}', metaOf(values, anyCasing, repeats.note()), '}');
  try {
    return pieces.join('');
  } catch (error) {
    throw tooLargeOr(error, PATH);
  }
}

function metaOf(values: readonly string[], anyCasing: readonly string[], equalities: string | undefined): string {
  const notes: string[] = [];
  if (anyCasing.length > 0) notes.push(`"anyCasing":[${anyCasing.join(',')}]`);
  if (values.length > 0) notes.push(`"values":{${values.join(',')}}`);
  if (equalities !== undefined) notes.push(equalities);
  if (values.length > 0 || equalities !== undefined) notes.push('"v":1');
  return notes.length > 0 ? `,"meta":{${notes.join(',')}}` : '';
}

/** Where variables that executions share are written, and where else they are to stand, as the codec notes it. */
class Repeats {
  private readonly places = new Map<SharedVariables, number[]>();
  private readonly areOften: boolean;

  constructor(contexts: readonly TextPart[]) {
    let count = 0;
    for (let index = 0; index < contexts.length; index++) {
      const { variables } = contexts[index]!;
      if (!variables) continue;
      const places = this.places.get(variables);
      if (places) count++;
      if (places) places.push(index);
      else this.places.set(variables, [index]);
    }
    this.areOften = count >= LEAST_REPEATS;
  }

  isWritten(variables: SharedVariables, index: number): boolean {
    return !this.areOften || this.places.get(variables)![0] === index;
  }

  note(): string | undefined {
    if (!this.areOften) return undefined;
    const members: string[] = [];
    for (const [first, ...others] of this.places.values())
      if (others.length > 0) members.push(`${placeOf(first!)}:[${others.map(placeOf).join(',')}]`);
    return `"referentialEqualities":{${members.join(',')}}`;
  }
}

const placeOf = (index: number): string => `"activityExecutionContexts.${index}.${VARIABLES}"`;

interface Item {
  readonly dynamicVariables?: readonly VariableDefinition[];
}

/** Makes parts, those with the same variables with one list of them. */
class SharedLists {
  private readonly byText = new Map<string, SharedVariables>();
  private readonly byList = new Map<readonly VariableDefinition[], SharedVariables>();

  note({ variables }: TextPart): void {
    if (variables) this.byText.set(keyOf(variables.text), variables);
  }

  partOf(name: RestingListName, item: Item): TextPart | undefined {
    const ids = restingIds(name, item);
    if (!ids) return undefined;
    if (!item.dynamicVariables?.length) return part(ids, item);
    const shared = this.variablesOf(item.dynamicVariables);
    const { dynamicVariables: _shared, ...rest } = item;
    return shared && part(ids, rest, shared);
  }

  private variablesOf(list: readonly VariableDefinition[]): SharedVariables | undefined {
    const known = this.byList.get(list);
    if (known) return known;
    const text = apart(list);
    // Objects that are read in any casing would have to be noted at each place.
    if (!text || text.anyCasing.length > 0) return undefined;
    const shared = this.byText.get(keyOf(text)) ?? new SharedVariables(text);
    this.byText.set(keyOf(text), shared);
    this.byList.set(list, shared);
    return shared;
  }
}

const keyOf = ({ json, notes }: ValueApart): string => `${json}\n${notes}`;

function part(
  { id, ownerId }: NonNullable<ReturnType<typeof restingIds>>,
  value: object,
  shared?: SharedVariables,
): TextPart | undefined {
  const text = apart(value);
  return text && new TextPart(id, ownerId, text, shared);
}

function apart(value: object): ValueApart | undefined {
  const notes = new ValueNotes();
  try {
    return notes.collect(value, 0) ? notes.apart(value) : undefined;
  } catch {
    // A getter failed, for example. The codec says where.
    return undefined;
  }
}

function readApart<T>({ json, notes, anyCasing }: ValueApart): T {
  const members: string[] = [];
  if (anyCasing.length > 0) members.push(`"anyCasing":${JSON.stringify(anyCasing)}`);
  if (notes !== '') members.push(`"values":{${notes}},"v":1`);
  return deserialize<T>(`{"json":${json}${members.length > 0 ? `,"meta":{${members.join(',')}}` : ''}}`);
}

/** All but the long lists, none of which is read. */
function withoutLists(state: WorkflowState): object {
  const frame: Record<string, unknown> = {};
  for (const name of Object.keys(state) as (keyof WorkflowState)[])
    if (!(RESTING_LISTS as readonly string[]).includes(name)) frame[name] = state[name];
  return frame;
}
