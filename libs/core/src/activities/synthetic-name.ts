/** Members that every activity has in JSON; an input of the same name would be taken for one of them. */
const TAKEN: ReadonlySet<string> = new Set(
  [
    'Id NodeId Name Type Version CustomProperties SyntheticProperties Metadata Behaviors Variables Root',
    'CanStartWorkflow RunAsynchronously Source __proto__',
    'WorkflowDefinitionId WorkflowDefinitionVersionId LatestAvailablePublishedVersion LatestAvailablePublishedVersionId',
  ].flatMap((line) => line.toLowerCase().split(' ')),
);

/** Name of a workflow's input on the activity that the workflow is used as: `Name` becomes `_Name`. */
export function syntheticName(inputName: string): string {
  return TAKEN.has(inputName.toLowerCase()) ? `_${inputName}` : inputName;
}
