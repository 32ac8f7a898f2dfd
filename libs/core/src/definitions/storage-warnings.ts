import { isPlainObject } from '../values/plain-object.js';
import { isStorageDriver, STORAGE_DRIVERS } from './class-names.js';
import type { DefinitionContext } from './definition-context.js';
import type { DefinitionProblem } from './validate-definition.js';
import { descriptorsOf, walkActivities } from './walk-activities.js';
import type { WorkflowDefinition } from './workflow-definition.js';

/** The value of a variable or an input is lost when the instance waits, because its storage driver does not exist. */
const UNKNOWN_DRIVER = 'WM1053';

/**
 * Finds storage drivers that this version does not have. Elsa publishes such a definition and does not keep the value. So does Waymark;
 * otherwise files with a driver of the application that wrote them could not be imported. The author learns it before the value is lost.
 */
export function storageWarnings(
  { root, variables, inputs }: Pick<WorkflowDefinition, 'root' | 'variables' | 'inputs'>,
  { registry }: Pick<DefinitionContext, 'registry'>,
): DefinitionProblem[] {
  const warnings = [
    ...variables.flatMap((variable, i) =>
      unknownDriver(`Variable '${variable.name}'`, variable.storageDriverTypeName, { path: `variables[${i}]` }),
    ),
    ...inputs.flatMap((input, i) =>
      unknownDriver(`Input '${input.name}'`, input.storageDriverType, { path: `inputs[${i}]` }),
    ),
  ];
  walkActivities(root, descriptorsOf(registry), ({ node, path, descriptor }) => {
    if (!descriptor?.isContainer || !Array.isArray(node.variables)) return;
    for (const [i, variable] of (node.variables as unknown[]).entries()) {
      if (!isPlainObject(variable)) continue;
      const what = `Variable '${String(variable.name)}' of activity '${node.id}' (${node.type})`;
      const place = { activityId: node.id, path: `${path}.variables[${i}]` };
      warnings.push(...unknownDriver(what, variable.storageDriverTypeName, place));
    }
  });
  return warnings;
}

function unknownDriver(
  what: string,
  driver: unknown,
  place: Pick<DefinitionProblem, 'activityId' | 'path'>,
): DefinitionProblem[] {
  if (typeof driver !== 'string' || driver.trim() === '' || isStorageDriver(driver)) return [];
  const message = `${what} has the storage driver '${driver}', which does not exist, so its value is lost when the instance waits. Use one of ${STORAGE_DRIVERS.join(', ')}.`;
  return [{ message, code: UNKNOWN_DRIVER, ...place }];
}
