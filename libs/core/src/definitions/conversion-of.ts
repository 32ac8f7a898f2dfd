import type { ConversionOptions } from '../values/convert-value.js';
import type { WorkflowDefinition } from './workflow-definition.js';

/** Materializer of definitions that come from a class in code. */
export const CODE_MATERIALIZER = 'CLR';

const STRICT: ConversionOptions = { strict: true, longHours: true };
const LENIENT: ConversionOptions = { strict: false };
const LENIENT_CODE: ConversionOptions = { strict: false, longHours: true };

/**
 * How values of a definition are converted: strictly for workflows in code unless they say otherwise; for others as they
 * say, and as the host says where they are silent (`undefined`).
 */
export function conversionOf({
  materializerName,
  options,
}: Pick<WorkflowDefinition, 'materializerName' | 'options'>): ConversionOptions | undefined {
  const isCode = materializerName === CODE_MATERIALIZER;
  const isStrict = options.strictConversions ?? (isCode ? true : undefined);
  if (isStrict === undefined) return undefined;
  if (isStrict) return STRICT;
  return isCode ? LENIENT_CODE : LENIENT;
}
