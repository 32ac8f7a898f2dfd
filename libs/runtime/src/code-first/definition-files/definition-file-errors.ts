import { WaymarkError } from '@waymark/core';

/** Thrown at start when a definition file, or a folder of them, cannot be used. Nothing of the file was stored. */
export class DefinitionFileError extends WaymarkError {
  readonly code = 'WM1050';
  constructor(
    /** Path of the file or folder. */
    readonly file: string,
    /** Path of the wrong member in the file, such as `root.activities[0].type`; empty if the whole file is meant. */
    readonly member: string,
    reason: string,
    options?: { cause?: unknown },
  ) {
    const place = member === '' || reason.includes(member) ? '' : ` ('${member}')`;
    super(
      `Definition file ${file}${place}: ${reason} Correct the file, or remove it from the folders in the option ` +
        "'definitionFolders' of WorkflowModule.",
      options,
    );
  }
}
