/** Thrown when a schematic cannot be executed. It has changed nothing; the Nest CLI prints the message. */
export class SchematicRefusedError extends Error {
  /** Name of the class. */
  override readonly name = 'SchematicRefusedError';
}
