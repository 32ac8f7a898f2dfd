import { WaymarkError } from '@waymark/core';

/** Thrown when WriteFileHttpResponse is given more files than the limit of an archive. The activity faults. */
export class TooManyFilesError extends WaymarkError {
  readonly code = 'WM5016';

  constructor(files: number, most: number) {
    super(
      `The response would be an archive of ${files} files, and this host packs ${most} at most (http.maxArchiveFiles). ` +
        'Send fewer files, or make the archive beforehand and send that.',
    );
  }
}
