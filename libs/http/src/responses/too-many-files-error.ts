import { WaymarkError } from '@waymark/core';

/** Thrown when WriteFileHttpResponse is given more files, or larger ones, than go into one archive. The activity faults. */
export class TooManyFilesError extends WaymarkError {
  readonly code = 'WM5016';

  /** @internal @param most `http.maxArchiveFiles` */
  static byNumber(files: number, most: number): TooManyFilesError {
    return new TooManyFilesError(
      `The response would be an archive of ${files} files, and this host packs ${most} at most (http.maxArchiveFiles). ` +
        'Send fewer files, or make the archive beforehand and send that.',
    );
  }

  /** @internal @param mostBytes `http.maxDownloadBytes` */
  static bySize(mostBytes: number): TooManyFilesError {
    return new TooManyFilesError(
      `The response would be an archive of more than ${mostBytes} bytes, which is what this host packs at most (http.maxDownloadBytes). ` +
        'Send fewer or smaller files, or send links to them.',
    );
  }
}
