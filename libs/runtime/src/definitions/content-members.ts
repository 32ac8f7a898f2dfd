type ContentMember =
  | 'name'
  | 'description'
  | 'toolVersion'
  | 'isSystem'
  | 'variables'
  | 'inputs'
  | 'outputs'
  | 'outcomes'
  | 'customProperties'
  | 'options'
  | 'root';

/** What a save takes over of a definition; the server decides on versions, dates and flags. */
export function contentMembers<T extends { readonly [name in ContentMember]?: unknown }>(
  source: T,
): Pick<T, ContentMember> {
  const { name, description, toolVersion, isSystem, variables, inputs, outputs, outcomes } = source;
  const { customProperties, options, root } = source;
  return {
    name,
    description,
    toolVersion,
    isSystem,
    variables,
    inputs,
    outputs,
    outcomes,
    customProperties,
    options,
    root,
  };
}
