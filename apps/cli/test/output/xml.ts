/** An element of an XML document, and the one around it. */
export interface Element {
  readonly name: string;
  readonly within: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * The elements of an XML document in their order.
 *
 * @throws Error where it is not well formed.
 */
export function elementsOf(text: string): readonly Element[] {
  const [, body = ''] = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n(.*)$/s.exec(text) ?? [];
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/u.test(body))
    throw new Error('a character that XML has not');
  const open: string[] = [];
  const elements: Element[] = [];
  const token = /<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
  while (token.lastIndex < body.length) {
    const at = token.lastIndex;
    const match = token.exec(body);
    if (match === null) throw new Error(`not well formed at ${at}: ${body.slice(at, at + 40)}`);
    const [, closes, name = '', attributes = '', isEmpty, content] = match;
    for (const part of [attributes, content ?? '']) {
      if (/&(?!(?:amp|lt|gt|quot|#\d+);)/.test(part)) throw new Error(`an entity in ${part}`);
    }
    if (content !== undefined) continue;
    if (closes === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes something else`);
      continue;
    }
    const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(
      ([, key = '', value = '']) => [key, value] as const,
    );
    elements.push({ name, within: open.at(-1) ?? '', attributes: Object.fromEntries(pairs) });
    if (isEmpty !== '/') open.push(name);
  }
  if (open.length > 0) throw new Error(`${open.join()} is not closed`);
  return elements;
}
