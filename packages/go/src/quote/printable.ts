import { printableDigits, printableEdges } from './printable.data.ts';

let edges: Int32Array | undefined;

const lastDigits = 48;
const otherDigits = 16;

function readEdges(): Int32Array {
  const found: number[] = [];
  let code = 0;
  let before = 0;
  for (const character of printableEdges.replaceAll('\n', '')) {
    const digit = printableDigits.indexOf(character) + 1;
    if (digit > lastDigits) {
      before = before * otherDigits + digit - lastDigits;
    } else {
      code += before * lastDigits + digit;
      found.push(code);
      before = 0;
    }
  }
  return Int32Array.from(found);
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
