import type { ElementOptions } from '../generating/element-options.js';
import { generateElement } from '../generating/generate-element.js';
import type { SchematicRule } from '../generating/schematic-tree.js';
import { workflowSource, workflowSpecification } from './workflow.templates.js';

/**
 * `nest g -c @waymark/schematics workflow <name>`: a workflow in code, its specification, and its place in the nearest module.
 * @throws SchematicRefusedError when the rule runs, before anything is changed
 */
export const workflowSchematic = (options: ElementOptions): SchematicRule =>
  generateElement(
    {
      suffix: 'workflow',
      className: (name) => `${name}Workflow`,
      source: workflowSource,
      specification: workflowSpecification,
    },
    options,
  );
