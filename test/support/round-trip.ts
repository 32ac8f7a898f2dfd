import { type WorkflowDefinition } from '@waymark/core';
import {
  type DefinitionContext,
  type DefinitionModel,
  parseDefinitionText,
  readDefinitionModel,
  writeExport,
} from '@waymark/core/adapter';

/** A stored definition as its file reads, and as the file of that reads: the two must be equal. */
export function throughExport(
  stored: WorkflowDefinition,
  context: DefinitionContext,
): { readonly first: DefinitionModel; readonly second: DefinitionModel } {
  const first = readFile(stored, context);
  // What was read is stored again, as an import does.
  const second = readFile({ ...stored, ...first, createdAt: stored.createdAt } as WorkflowDefinition, context);
  const content = contentOf(stored);
  // A file has the name of the reference, whatever the spelling of the stored one.
  const { activationStrategyType } = first.options;
  if (activationStrategyType) content.options = { ...stored.options, activationStrategyType };
  return { first: { ...first, ...content }, second };
}

function readFile(definition: WorkflowDefinition, context: DefinitionContext): DefinitionModel {
  return readDefinitionModel(parseDefinitionText(JSON.stringify(writeExport(definition, context))), context);
}

/** What a definition says, without what the publisher decides. */
function contentOf(stored: WorkflowDefinition): { -readonly [Name in keyof DefinitionModel]?: DefinitionModel[Name] } {
  const { name, description, variables, inputs, outputs, outcomes, customProperties, options, root } = stored;
  return { name, description, variables, inputs, outputs, outcomes, customProperties, options, root };
}
