import { WaymarkError } from '@waymark/core';

/**
 * Thrown when an activity would start more instances than the commit of its burst can hold: each child is a message with all of
 * its input.
 */
export class TooManyChildrenError extends WaymarkError {
  readonly code = 'WM4090';

  constructor(children: number, chars: number, most: { readonly children: number; readonly chars: number }) {
    super(
      `Cannot start ${children} workflows at once, with ${chars} characters of input: the limits are ${most.children} workflows and ${most.chars} characters in total. Start fewer at a time, in a loop, or pass each a reference to its data.`,
    );
  }
}
