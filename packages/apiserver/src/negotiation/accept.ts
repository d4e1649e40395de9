/** One media type that a client takes (RFC 9110, `Accept`). */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Reads an `Accept` header: clauses by falling quality, and in their order where that is the same. */
export function parseAccept(header: string): readonly AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',')) {
    const [range = '', ...pieces] = part.split(';').map((piece) => piece.trim());
    const [type = '', subtype = ''] = range.split('/');
    if (range === '') continue;
    const parameters: Record<string, string> = Object.create(null);
    let quality = 1;
    for (const piece of pieces) {
      const equals = piece.indexOf('=');
      if (equals < 0) continue;
      const name = piece.slice(0, equals).trim();
      const value = piece.slice(equals + 1).trim();
      if (name === 'q') quality = Number(value) || 0;
      else parameters[name] = value.replace(/^"(.*)"$/, '$1');
    }
    clauses.push({ type, subtype: subtype || (type === '*' ? '*' : ''), quality, parameters });
  }
  return clauses.sort((a, b) => b.quality - a.quality);
}
