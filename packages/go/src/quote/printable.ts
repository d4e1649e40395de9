import { printableEdges } from './printable.data.ts';

let edges: Int32Array | undefined;

function readEdges(): Int32Array {
  let code = 0;
  const gaps = printableEdges.replaceAll('\n', '').match(/\.\w{2}|,\w{3}|;\w{4}|\w/g) ?? [];
  return Int32Array.from(gaps, (gap) => {
    code += Number.parseInt(gap.replace(/\W/, ''), 36);
    return code;
  });
}

/**
 * Whether Go prints a code point as it is when it quotes: letters, marks, numbers, punctuation, symbols and the
 * space, but nothing that its tables of Unicode do not know (`strconv.IsPrint`).
 *
 * The tables are Go's own: those of the JavaScript engine know other code points from version to version.
 */
export function isPrintable(code: number): boolean {
  if (code < 0x7f) return code >= 0x20;
  edges ??= readEdges();
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= code) low = middle + 1;
    else high = middle;
  }
  // So many edges are at or before the code point; the first of them begins what is printable.
  return low % 2 === 1;
}
