/** Saves an answer as a file, under the name that the server gives it. */
export async function download(response: Response, otherwise: string): Promise<void> {
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = fileNameOf(response.headers.get('content-disposition')) ?? otherwise;
  link.click();
  // The browser has taken it over by the next turn.
  window.setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** Of `attachment; filename="a.json"; filename*=UTF-8''%C3%A4.json` the second. */
export function fileNameOf(disposition: string | null): string | undefined {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  const plain = /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1];
  return plain?.trim();
}
