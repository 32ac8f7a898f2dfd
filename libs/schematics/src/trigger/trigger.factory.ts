import type { ElementOptions } from '../generating/element-options.js';
import { generateElement } from '../generating/generate-element.js';
import type { SchematicRule } from '../generating/schematic-tree.js';
import { triggerSource, triggerSpecification } from './trigger.templates.js';

/**
 * `nest g -c @waymark/schematics trigger <name>`: a trigger, its specification, and its place in the nearest module.
 * @throws SchematicRefusedError when the rule runs, before anything is changed
 */
export const triggerSchematic = (options: ElementOptions): SchematicRule =>
  generateElement(
    {
      suffix: 'trigger',
      className: (name) => name,
      source: triggerSource,
      specification: triggerSpecification,
    },
    options,
  );
