import { inAnyCasing } from '@waymark/core/adapter';
import { setText, type TextMap } from '../requests/multi-map.js';

/** Headers that describe the content rather than the response. */
const CONTENT_HEADERS: ReadonlySet<string> = new Set(['allow', 'expires', 'last-modified']);

const isContentHeader = (name: string): boolean => name.startsWith('content-') || CONTENT_HEADERS.has(name);

/** Headers of a response, names as the server wrote them. */
export class ResponseHeaders {
  /** @param raw name, value, name, value … */
  constructor(private readonly raw: readonly string[]) {}

  /** First value of a header. @param name in lower case */
  first(name: string): string | undefined {
    for (let i = 0; i < this.raw.length; i += 2) if (this.raw[i]!.toLowerCase() === name) return this.raw[i + 1];
    return undefined;
  }

  /** Those of the response itself, a list of values each. */
  get ofResponse(): TextMap {
    return this.select((name) => !isContentHeader(name));
  }

  get ofContent(): TextMap {
    return this.select(isContentHeader);
  }

  private select(selects: (name: string) => boolean): TextMap {
    const names = new Map<string, string>();
    const map: Record<string, string[]> = {};
    for (let i = 0; i < this.raw.length; i += 2) {
      const lower = this.raw[i]!.toLowerCase();
      if (!selects(lower)) continue;
      const name = names.get(lower) ?? this.raw[i]!;
      names.set(lower, name);
      // A server may call them `constructor`, which all objects have.
      if (Object.hasOwn(map, name)) map[name]!.push(this.raw[i + 1]!);
      else setText(map, name, [this.raw[i + 1]!]);
    }
    return inAnyCasing(map);
  }
}
