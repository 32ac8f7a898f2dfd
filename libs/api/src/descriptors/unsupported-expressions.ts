import type { ExpressionDescriptor } from '@waymark/core';

const notOffered = (type: string, displayName: string, language: string): ExpressionDescriptor => ({
  type,
  displayName,
  isSerializable: true,
  isBrowsable: false,
  properties: { MonacoLanguage: language },
});

/**
 * Languages of Elsa that definitions from there may be written in. Without a descriptor Studio shows such an expression as
 * empty, and the next save overwrites it; not browsable, it is shown and not offered.
 */
export const UNSUPPORTED_EXPRESSIONS: readonly ExpressionDescriptor[] = [
  notOffered('CSharp', 'C#', 'csharp'),
  notOffered('Python', 'Python', 'python'),
];
