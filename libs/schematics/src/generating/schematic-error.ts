/** A schematic cannot do what it was asked for; it has changed nothing. The Nest CLI prints the sentence. */
export class SchematicRefusedError extends Error {
  /** Name of the class. */
  override readonly name = 'SchematicRefusedError';
}
