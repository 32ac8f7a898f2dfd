/** An element with its attributes and what is in it: elements, or text that is escaped already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...inside: string[]
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(rounded(value))}"`);
  return inside.length > 0
    ? `<${name}${written.join('')}>${inside.join('')}</${name}>`
    : `<${name}${written.join('')}/>`;
}

export function text(x: number, y: number, content: string, attributes: Readonly<Record<string, string>> = {}): string {
  return element('text', { x, y, ...attributes }, escaped(content));
}

export function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Tenths of a pixel: more is not visible, and files of two runs that draw the same are the same. */
function rounded(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : value;
}
