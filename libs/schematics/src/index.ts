export { activitySchematic } from './activity/activity.factory.js';
export { triggerSchematic } from './trigger/trigger.factory.js';
export { workflowSchematic } from './workflow/workflow.factory.js';
export type { ElementOptions } from './generating/element-options.js';
export { SchematicRefusedError } from './generating/schematic-error.js';
export type { SchematicRule, SchematicTree } from './generating/schematic-tree.js';
export type { ModuleAddition, ModuleEdit } from './module-editing/module-addition.js';
export { addClassToModule, findRootModule } from './module-editing/application-modules.js';
