import { WaymarkError } from '@waymark/core';

/** One activity was to start more than the commit of its burst can hold: each child has a message, with all of its input. */
export class TooManyChildrenError extends WaymarkError {
  readonly code = 'WM4090';

  constructor(children: number, chars: number, most: { readonly children: number; readonly chars: number }) {
    super(
      `${children} workflows were to be started at once, with ${chars} characters of input. At most ${most.children} can be, with ${most.chars} characters together: start fewer at a time, in a loop, or give each an address of its data.`,
    );
  }
}
