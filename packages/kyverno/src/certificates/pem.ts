import { decodeBase64 } from '@kubeadmit/go';

/** A PEM block: the part between `BEGIN` and `END`. */
export interface PemBlock {
  readonly type: string;
  readonly bytes: Uint8Array;
}

const end = '\n-----END ';
const begin = '-----BEGIN ';
const endOfLine = '-----';

/** Returns the first PEM block of a text, as Go's `pem.Decode` finds it; broken blocks are skipped. */
export function decodePem(text: string): PemBlock | undefined {
  let rest = text;
  for (;;) {
    const endAt = rest.indexOf(end);
    if (endAt === -1) return undefined;
    const afterEnd = rest.slice(endAt + end.length);
    // The last beginning before the end: earlier ones have no end.
    const beginAt = rest.slice(0, endAt).lastIndexOf(begin);
    const startsLine = beginAt === 0 || rest[beginAt - 1] === '\n';
    // A block without a line inside ends where its first line ends.
    const inside = rest.slice(beginAt + begin.length, endAt + 1);
    const block = beginAt !== -1 && startsLine ? readBlock(inside, afterEnd) : undefined;
    if (block !== undefined) return block;
    rest = afterEnd;
  }
}

function readBlock(inside: string, afterEnd: string): PemBlock | undefined {
  const { line, rest } = firstLine(inside);
  if (!line.endsWith(endOfLine)) return undefined;
  const type = line.slice(0, -endOfLine.length);
  const trailer = firstLine(afterEnd).line;
  if (trailer !== type + endOfLine) return undefined;
  const bytes = decodeBase64(withoutHeaders(rest).replaceAll(/[ \t\n]/g, ''));
  return 'error' in bytes ? undefined : { type, bytes };
}

/** Drops header lines such as `Proc-Type: 4,ENCRYPTED`. */
function withoutHeaders(text: string): string {
  let rest = text;
  for (let next = firstLine(rest); next.line.includes(':'); next = firstLine(rest))
    rest = next.rest;
  return rest;
}

function firstLine(text: string): { readonly line: string; readonly rest: string } {
  const at = text.indexOf('\n');
  const line = at === -1 ? text : text.slice(0, at).replace(/\r$/, '');
  return { line: trimBlanks(line), rest: at === -1 ? '' : text.slice(at + 1) };
}

/** Trims trailing blanks. A regular expression would start again at every blank. */
function trimBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end--;
  return line.slice(0, end);
}
