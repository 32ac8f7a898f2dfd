interface TemplateParts {
  /** Of what stands outside of braces, doubled ones included. */
  readonly literal: (text: string) => string;
  /** Of a parameter with its braces. */
  readonly parameter: (text: string) => string;
  /** Of the rest from a brace that is not closed, which the parser refuses later. @default `literal` */
  readonly unclosed?: (text: string) => string;
}

/** Makes one text of a path template, part by part. */
export function mapTemplate(text: string, { literal, parameter, unclosed = literal }: TemplateParts): string {
  let mapped = '';
  let done = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '{') continue;
    if (text[i + 1] === '{') {
      i++;
      continue;
    }
    const end = closingBrace(text, i + 1);
    mapped += literal(text.slice(done, i));
    if (end < 0) return mapped + unclosed(text.slice(i));
    mapped += parameter(text.slice(i, end + 1));
    i = end;
    done = end + 1;
  }
  return mapped + literal(text.slice(done));
}

/** Index of the brace that closes an open one, or -1. Doubled braces are literal ones. */
export function closingBrace(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const char = text[i];
    if ((char === '{' || char === '}') && text[i + 1] === char) i++;
    else if (char === '}') return i;
  }
  return -1;
}
