import type { ActivityDescriptor, InputDescriptor } from '../activities/activity-descriptor.js';
import { camelCase } from '../values/names.js';
import { prop } from '../values/plain-object.js';
import type { Reading } from './definition-context.js';
import { literal } from './expression-json.js';
import { join, listMember, type JsonObject } from './json-members.js';
import { ENVELOPE } from './node-envelope.js';
import { shapeOf, type NodeShape } from './node-shapes.js';
import type { ChildReading } from './special-members.js';
import { readContainerVariables } from './variable-json.js';
import { readInput, readOutput, typeAlias } from './wrapped-values.js';

/** Everything of an activity but its envelope, in canonical form and in the order in which it is written. */
export function readMembers(
  json: JsonObject,
  descriptor: ActivityDescriptor,
  at: string,
  child: ChildReading,
  run: Reading,
): Map<string, unknown> {
  const shape = shapeOf(descriptor.typeName);
  const members = new Map<string, unknown>();
  for (const input of descriptor.inputs) {
    const name = memberName(input);
    if (!ENVELOPE.has(name.toLowerCase()) && !shape.special?.[name])
      members.set(name, readDeclared(json, input, name, shape, at, run));
  }
  for (const [name, special] of Object.entries(shape.special ?? {}))
    members.set(name, special.read(json, name, at, child, run));
  for (const name of shape.plain ?? []) members.set(name, prop(json, name) ?? null);
  for (const port of descriptor.ports)
    if (port.type === 'Embedded' && port.propertyName && !shape.ignored?.includes(port.propertyName))
      members.set(port.propertyName, child(prop(json, port.propertyName), join(at, port.propertyName)));
  for (const name of descriptor.childLists)
    members.set(
      name,
      listMember(json, name, at).flatMap((item, i) => child(item, `${join(at, name)}[${i}]`) ?? []),
    );
  if (descriptor.isContainer) members.set('variables', readContainerVariables(json, 'variables', at, run));
  for (const output of descriptor.outputs) {
    const name = memberName(output);
    const value = prop(json, name);
    members.set(
      name,
      value === undefined && shape.ownOutputs?.includes(name)
        ? ownOutput(output.typeName, run)
        : readOutput(value, output, join(at, name), run),
    );
  }
  return withOthers(inOrder(members, shape.first), json, shape.ignored);
}

/** Inputs and outputs that come from another workflow are named as there, apart from the first letter. */
export const memberName = (d: { readonly propertyName: string; readonly isSynthetic: boolean }): string =>
  d.isSynthetic ? camelCase(d.propertyName) : d.propertyName;

function readDeclared(
  json: JsonObject,
  input: InputDescriptor,
  name: string,
  shape: NodeShape,
  at: string,
  run: Reading,
): unknown {
  const value = prop(json, name);
  const hasInitial = shape.initial !== undefined && Object.hasOwn(shape.initial, name);
  if (!input.isWrapped)
    return (
      value ??
      (hasInitial ? shape.initial[name] : undefined) ??
      input.defaultValue ??
      (input.typeName === 'Boolean' ? false : null)
    );
  if (value === undefined && hasInitial)
    return { typeName: typeAlias(input.typeName, run), expression: literal(shape.initial[name]) };
  return readInput(value, input, join(at, name), run);
}

/** Its id follows from the activity's, which may not be known yet. */
const ownOutput = (typeName: string, run: Reading): unknown => ({
  typeName: typeAlias(typeName, run),
  memoryReference: { id: '' },
});

function inOrder(members: Map<string, unknown>, first: readonly string[] = []): Map<string, unknown> {
  const known = first.filter((name) => members.has(name)).map((name) => [name, members.get(name)] as const);
  return new Map([...known, ...members]);
}

/** Members that the descriptor does not know belong to the activity class, which may read them itself. */
function withOthers(
  members: Map<string, unknown>,
  json: JsonObject,
  ignored: readonly string[] = [],
): Map<string, unknown> {
  const taken = new Set([...members.keys(), ...ignored].map((name) => name.toLowerCase()));
  for (const [name, value] of Object.entries(json)) {
    const lower = name.toLowerCase();
    if (!taken.has(lower) && !ENVELOPE.has(lower) && value !== undefined) members.set(name, value);
  }
  return members;
}
