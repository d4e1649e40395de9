/** Thrown for text that only the complete YAML parser reads; the caller catches it. */
export class Unusual extends Error {}

/** The text of a plain scalar that ends with its line, or with a comment. */
export function plainText(rest: string): string {
  if (/^(?:[[\]{},#&*!|>'"%@`]|[-?:](?: |$))/.test(rest)) throw new Unusual();
  const comment = rest.search(/ #/);
  const text = (comment === -1 ? rest : rest.slice(0, comment)).trimEnd();
  if (/:(?: |$)/.test(text)) throw new Unusual();
  return text;
}

/** The text of a quoted scalar that ends with its line, or with a comment. */
export function quotedText(rest: string): string {
  const [text, end] = readQuoted(rest, 0);
  if (!/^(?: *$| +#)/.test(rest.slice(end))) throw new Unusual();
  return text;
}

/** The text of a quoted scalar at an index, and the index behind it. */
export function readQuoted(text: string, at: number): readonly [string, number] {
  if (text[at] === "'") {
    const pattern = /'((?:[^']|'')*)'(?!')/y;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) throw new Unusual();
    return [(match[1] ?? '').replaceAll("''", "'"), pattern.lastIndex];
  }
  // Escapes that JSON does not have, and line ends, are left to the parser.
  const pattern = /"(?:[^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/y;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) throw new Unusual();
  const written = match[0];
  const isSimple = !written.includes('\\') && !/[\u0000-\u001f\u007f]/.test(written);
  return [isSimple ? written.slice(1, -1) : parseJsonText(written), pattern.lastIndex];
}

function parseJsonText(written: string): string {
  if (/[\u0000-\u001f\u007f]/.test(written)) throw new Unusual();
  return JSON.parse(written) as string;
}
