import type { ElementOptions } from '../generating/element-options.js';
import { generateElement } from '../generating/generate-element.js';
import type { SchematicRule } from '../generating/schematic-tree.js';
import { activitySource, activitySpecification } from './activity.templates.js';

/**
 * `nest g -c @waymark/schematics activity <name>`: an activity, its specification, and its place in the nearest module.
 * @throws SchematicRefusedError when the rule runs, before anything is changed
 */
export const activitySchematic = (options: ElementOptions): SchematicRule =>
  generateElement(
    {
      suffix: 'activity',
      className: (name) => name,
      source: activitySource,
      specification: activitySpecification,
    },
    options,
  );
