import type { Text } from '@codemirror/state';

/** A stretch of a document. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const field =
  /^(\s*(?:- )*)(?:expression|messageExpression|valueExpression|rule|fieldPath)\s*:\s*(.*)$/;

/**
 * Where expressions of CEL stand in a YAML document: after `expression:` and its like, on the line or in the
 * block below it.
 */
export function expressionRanges(doc: Text): Range[] {
  const ranges: Range[] = [];
  for (let number = 1; number <= doc.lines; number++) {
    const line = doc.line(number);
    const [, before = '', value = ''] = field.exec(line.text) ?? [];
    if (value === '') continue;
    if (!/^[|>][-+\d]*\s*$/.test(value)) {
      ranges.push({ from: line.to - value.length, to: line.to });
      continue;
    }
    const block = blockBelow(doc, number, before.length);
    if (block !== undefined) ranges.push(block.range);
    number = block?.last ?? number;
  }
  return ranges;
}

function blockBelow(
  doc: Text,
  head: number,
  indent: number,
): { readonly range: Range; readonly last: number } | undefined {
  let last = head;
  for (let number = head + 1; number <= doc.lines; number++) {
    const { text } = doc.line(number);
    if (text.trim() === '') continue;
    if (text.length - text.trimStart().length <= indent) break;
    last = number;
  }
  if (last === head) return undefined;
  return { range: { from: doc.line(head + 1).from, to: doc.line(last).to }, last };
}
