import type { ResolvedHttpOptions } from '../module/http-options.js';

/** Editor facts of HttpEndpoint's `Path`: what stands before it in the URL. */
export function pathUiSpecifications({
  baseUrl,
  basePath,
}: Pick<ResolvedHttpOptions, 'baseUrl' | 'basePath'>): Record<string, unknown> {
  return { singleline: { adornmentText: `${baseUrl}${basePath}/`, enableCopyAdornment: true }, Refresh: true };
}
