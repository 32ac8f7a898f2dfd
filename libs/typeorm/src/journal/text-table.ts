/**
 * The texts of a chunk, each once; what is in the chunk names them by their place. Places count from 1, so that 0 can stand
 * for no text. Before them is the instance's id: the ids of its executions begin with it, and are kept from the hyphen on.
 */
export class TextTable {
  readonly texts: string[];
  /** A text begins with a hyphen of its own: it would come back with the instance's id before it. */
  isAmbiguous = false;
  private readonly places = new Map<string, number>();
  private readonly prefix: string;

  constructor(private readonly instanceId: string) {
    this.texts = [instanceId];
    this.prefix = `${instanceId}-`;
  }

  placeOf(text: string): number {
    return this.places.get(text) ?? this.add(text);
  }

  private add(text: string): number {
    const place = this.texts.length;
    this.places.set(text, place);
    if (text.startsWith(this.prefix)) this.texts.push(text.slice(this.instanceId.length));
    else {
      if (text.startsWith('-')) this.isAmbiguous = true;
      this.texts.push(text);
    }
    return place;
  }
}

/** The texts as they were, each at its place. */
export function readTexts(texts: readonly string[]): string[] {
  const [instanceId = ''] = texts;
  return texts.map((text) => (text.startsWith('-') ? instanceId + text : text));
}
