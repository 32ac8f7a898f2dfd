import type { OpenApiSchema } from '@waymark/runtime';

/** What a reader takes, for the API's description of itself. */
export interface ReaderShape {
  readonly schema: OpenApiSchema;
  /** Whether the value must be there. */
  readonly isRequired?: boolean;
}

const SHAPES = new WeakMap<object, ReaderShape>();

/** The shape stands beside the reader that refuses what does not have it: the two cannot drift apart. */
export function shaped<R extends object>(shape: ReaderShape, reader: R): R {
  SHAPES.set(reader, shape);
  return reader;
}

/** Of a reader that says nothing of itself: anything. */
export const shapeOf = (reader: object): ReaderShape => SHAPES.get(reader) ?? { schema: {} };

/** An object with members of these shapes. */
export function shapeOfMembers(readers: Readonly<Record<string, object>>): ReaderShape {
  const members = Object.entries(readers).map(([name, reader]) => [name, shapeOf(reader)] as const);
  const required = members.flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(members.map(([name, { schema }]) => [name, schema])),
      ...(required.length > 0 && { required }),
    },
  };
}
