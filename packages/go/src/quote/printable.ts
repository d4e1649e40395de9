import { lazily } from '@kubeadmit/base';
import { search } from '../sort/search.ts';
import { printableDigits, printableEdges } from './printable.data.ts';

const lastDigits = 48;
const otherDigits = 16;

const edgesOf = lazily(() => {
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
});

/**
 * Whether Go prints a code point unchanged when it quotes: letters, marks, numbers, punctuation, symbols and the
 * space that Go's Unicode tables contain (`strconv.IsPrint`).
 *
 * The tables are Go's: those of JavaScript engines differ from version to version.
 */
export function isPrintable(code: number): boolean {
  if (code < 0x7f) return code >= 0x20;
  const edges = edgesOf();
  const before = search(edges.length, (edge) => (edges[edge] ?? 0) > code);
  // The number of edges up to the code point; the first edge begins a printable range.
  return before % 2 === 1;
}
