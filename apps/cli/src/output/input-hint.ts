import type { Place, Source } from '@kubeadmit/manifest';

/** Returns advice about an input that is probably read differently than intended. */
export function inputHint(message: string, source?: Source, place?: Place): string | undefined {
  if (/cannot unmarshal (?:bool|number) into Go .* of type string/.test(message)) {
    return 'quote the value; YAML reads numbers, `y`, `no`, `on` as other types';
  }
  const line = source === undefined || place === undefined ? undefined : source.line(place.line);
  if (/expression is not specified/.test(message)) {
    const [, mark] = /:\s+([!&])\S/.exec(line ?? '') ?? [];
    return mark === undefined
      ? undefined
      : `YAML reads a value that starts with \`${mark}\` as ${mark === '!' ? 'a tag' : 'an anchor'}; ${quotes}`;
  }
  if (/nested mappings are not allowed/.test(message)) {
    return line === undefined || isText(line)
      ? `quote values that contain \`: \`, or put them on separate lines after \`>-\``
      : 'this line is indented deeper than the previous one, so YAML reads it as part of that value';
  }
  if (
    /missing , or : between flow map items/.test(message) &&
    /[{,]\s*[\w.-]+\[/.test(line ?? '')
  ) {
    return 'quote keys that contain `[` or `]`, such as field paths';
  }
  const isMisread =
    /unexpected scalar at node end|not a YAML token|plain value cannot start with|unknown anchor|unexpected block-seq-ind/;
  return isMisread.test(message) && (line === undefined || isText(line))
    ? `some characters have a special meaning at the start of a value; ${quotes}`
    : undefined;
}

const quotes = 'put the value in quotes, or on separate lines after `>-`';

/** Whether a line has a field with more behind it than a name. */
function isText(line: string): boolean {
  return /:(?:\s+["'[{!&*@%`>|-]|\s.*:\s)/.test(line);
}
