import { extensionOf, type HttpFile } from './http-file.js';
import { fileTooLarge, type Rejection, RejectionOutcome } from './rejection.js';

/** What an endpoint demands of bodies. */
export interface BodyRules {
  readonly requestSizeLimit?: number | null;
  readonly fileSizeLimit?: number | null;
  readonly allowedFileExtensions?: readonly string[] | null;
  readonly blockedFileExtensions?: readonly string[] | null;
  readonly allowedMimeTypes?: readonly string[] | null;
  /** Type that receives the parsed content; undefined when nothing does. */
  readonly contentType?: string;
}

const isSet = <T>(list: readonly T[] | null | undefined): list is readonly T[] => !!list?.length;
const has = (list: readonly string[], text: string): boolean => list.some((item) => item.trim().toLowerCase() === text);

/** The first rule that a file breaks: sizes first, then allowed and blocked extensions, then MIME types. */
export function checkFiles(files: readonly HttpFile[], rules: BodyRules): Rejection | undefined {
  const { fileSizeLimit, allowedFileExtensions, blockedFileExtensions, allowedMimeTypes } = rules;
  if (typeof fileSizeLimit === 'number' && files.some((file) => file.length > fileSizeLimit))
    return fileTooLarge(fileSizeLimit);
  if (isSet(allowedFileExtensions) && files.some((file) => !has(allowedFileExtensions, extensionOf(file.filename))))
    return invalidExtension(`Only the following file extensions are allowed: ${allowedFileExtensions.join(', ')}`);
  if (isSet(blockedFileExtensions) && files.some((file) => has(blockedFileExtensions, extensionOf(file.filename))))
    return invalidExtension(`The following file extensions are not allowed: ${blockedFileExtensions.join(', ')}`);
  if (isSet(allowedMimeTypes) && files.some((file) => !has(allowedMimeTypes, file.contentType.toLowerCase())))
    return {
      outcome: RejectionOutcome.InvalidFileMimeType,
      status: 415,
      body: {
        code: 'WM5068',
        message: `Only the following MIME types are allowed: ${allowedMimeTypes.join(', ')}`,
      },
    };
  return undefined;
}

const invalidExtension = (message: string): Rejection => ({
  outcome: RejectionOutcome.InvalidFileExtension,
  status: 415,
  body: { code: 'WM5068', message },
});
