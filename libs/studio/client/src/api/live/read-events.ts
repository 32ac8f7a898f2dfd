/** An event of the server; `id` is where a client that has read it continues. */
export interface ServerEvent {
  readonly name: string;
  readonly data: unknown;
}

export interface EventListeners {
  /** Anything came, a heartbeat included. */
  onSign(): void;
  onPosition(id: string): void;
  onEvent(event: ServerEvent): void;
}

/**
 * Reads server-sent events to the end of a body. `EventSource` would do so too, but sends no `Authorization`.
 * @throws what the body throws when the connection is lost
 */
export async function readEvents(body: ReadableStream<Uint8Array>, listeners: EventListeners): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    listeners.onSign();
    text += decoder.decode(value, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    // What comes after the last empty line is not complete.
    text = blocks.pop()!;
    for (const block of blocks) readBlock(block, listeners);
  }
}

function readBlock(block: string, { onPosition, onEvent }: EventListeners): void {
  let name = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === 'event') name = value;
    else if (field === 'id') id = value;
    else if (field === 'data') data.push(value);
  }
  // After the event: one that could not be applied is read again.
  if (data.length > 0) onEvent({ name, data: JSON.parse(data.join('\n')) });
  if (id !== undefined) onPosition(id);
}
