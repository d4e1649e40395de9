import { trimRight } from '@kubeadmit/go';
import type { Scalar } from 'yaml';

/** The value of a scalar, with the position in the text of each unit. */
class Trace {
  text = '';
  readonly offsets: number[] = [];

  add(units: string, offset: number): void {
    this.text += units;
    for (let unit = 0; unit < units.length; unit++) this.offsets.push(offset);
  }

  copy(source: string, start: number, end: number): void {
    for (let at = start; at < end; at++) this.add(source[at] ?? '', at);
  }
}

/**
 * Returns, for each UTF-16 unit of a scalar's value and for its end, the index in the source text; `undefined` if
 * that is unknown.
 *
 * Literal and folded blocks, both quoted styles and plain scalars of several lines are folded as in YAML 1.1. The
 * result is returned only if this reproduces the value of the node.
 */
export function scalarOffsets(text: string, node: Scalar): readonly number[] | undefined {
  const value = node.value;
  const range = node.range;
  if (typeof value !== 'string' || !range) return undefined;
  const [start, end] = range;
  switch (node.type) {
    case 'BLOCK_LITERAL':
    case 'BLOCK_FOLDED':
      return blockOffsets(text, start, end, node.type === 'BLOCK_FOLDED', value);
    case 'QUOTE_DOUBLE':
      return fitting(traceFlow(text, start + 1, end - 1, escapedAt), value, end - 1);
    case 'QUOTE_SINGLE':
      return fitting(traceFlow(text, start + 1, end - 1, quotedQuoteAt), value, end - 1);
    default:
      return fitting(traceFlow(text, start, end, noEscape), value, end);
  }
}

/** The part of a text that is a scalar: the content of its quotes, or a block with its indicator. */
export interface ScalarStretch {
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded';
  readonly start: number;
  readonly end: number;
  /** The indentation of a block's lines. */
  readonly indent?: number | undefined;
}

/**
 * Reads a part of a text as a scalar of a style, even if it is unfinished. Returns its value and, for each UTF-16
 * unit of it and for its end, the index in the text. Never throws.
 */
export function traceScalar(
  text: string,
  { style, start, end, indent = 0 }: ScalarStretch,
): { readonly text: string; readonly offsets: readonly number[] } {
  if (style !== 'literal' && style !== 'folded') {
    const escapeAt = { plain: noEscape, single: quotedQuoteAt, double: escapedAt }[style];
    const trace = traceFlow(text, start, end, escapeAt);
    return { text: trace.text, offsets: [...trace.offsets, end] };
  }
  const header = text.indexOf('\n', start);
  if (header === -1 || header >= end) return { text: '', offsets: [end] };
  const trace = traceBlock(text, linesOf(text, header + 1, end), indent, style === 'folded');
  const mark = /[+-]/.exec(text.slice(start, header).split('#', 1)[0] ?? '')?.[0];
  const bare = trimRight(trace.text, '\n').length;
  const clipped = bare === 0 ? 0 : Math.min(bare + 1, trace.text.length);
  const length = mark === '+' ? trace.text.length : mark === '-' ? bare : clipped;
  const offsets = trace.offsets.slice(0, length);
  return { text: trace.text.slice(0, length), offsets: [...offsets, trace.offsets[length] ?? end] };
}

function fitting(trace: Trace, value: string, end: number): readonly number[] | undefined {
  return trace.text === value ? [...trace.offsets, end] : undefined;
}

interface Line {
  readonly start: number;
  readonly end: number;
}

function blockOffsets(
  text: string,
  start: number,
  end: number,
  folded: boolean,
  value: string,
): readonly number[] | undefined {
  const header = text.indexOf('\n', start);
  if (header === -1 || header >= end) return [end];
  const lines = linesOf(text, header + 1, end);
  const indentation = (line: Line): number => {
    let at = line.start;
    while (at < line.end && text[at] === ' ') at++;
    return at - line.start;
  };
  const first = lines.find((line) => indentation(line) < line.end - line.start);
  const deepest = first === undefined ? 0 : indentation(first);
  // An indentation indicator counts from a parent that is not known here: try every one.
  for (let indent = deepest; indent >= 0; indent--) {
    const trace = traceBlock(text, lines, indent, folded);
    if (trace.text.startsWith(value)) {
      return [...trace.offsets.slice(0, value.length), trace.offsets[value.length] ?? end];
    }
  }
  return undefined;
}

function traceBlock(text: string, lines: readonly Line[], indent: number, folded: boolean): Trace {
  const trace = new Trace();
  const contents = lines.map((line) => ({
    start: Math.min(line.start + indent, line.end),
    end: line.end,
  }));
  if (folded) traceFolded(trace, text, contents);
  else for (const line of contents) traceLine(trace, text, line);
  return trace;
}

function linesOf(text: string, from: number, to: number): Line[] {
  const lines: Line[] = [];
  for (let start = from; start < to; ) {
    const newline = text.indexOf('\n', start);
    const next = newline === -1 || newline >= to ? to : newline + 1;
    const bare = newline === -1 || newline >= to ? to : newline;
    lines.push({ start, end: text[bare - 1] === '\r' && bare > start ? bare - 1 : bare });
    start = next;
  }
  return lines;
}

function traceLine(trace: Trace, text: string, line: Line): void {
  trace.copy(text, line.start, line.end);
  trace.add('\n', line.end);
}

/**
 * Folds lines: one break between two lines of text is a space and each empty line after it a break;
 * lines that are indented further keep their breaks, and those around them.
 */
function traceFolded(trace: Trace, text: string, lines: readonly Line[]): void {
  let breaks: number[] = [];
  let previous: 'none' | 'text' | 'indented' = 'none';
  for (const line of lines) {
    if (line.start >= line.end) {
      breaks.push(line.end);
      continue;
    }
    const current = /[ \t]/.test(text[line.start] ?? '') ? 'indented' : 'text';
    const [first] = breaks;
    if (previous === 'text' && current === 'text' && first !== undefined) {
      if (breaks.length === 1) trace.add(' ', first);
      else for (const at of breaks.slice(0, -1)) trace.add('\n', at);
    } else {
      for (const at of breaks) trace.add('\n', at);
    }
    trace.copy(text, line.start, line.end);
    breaks = [line.end];
    previous = current;
  }
  for (const at of breaks) trace.add('\n', at);
}

/** Returns the value of an escape and its length in the text, or `undefined` if there is none. */
type EscapeAt = (text: string, at: number) => { units: string; length: number } | undefined;

function traceFlow(text: string, start: number, end: number, escapeAt: EscapeAt): Trace {
  const trace = new Trace();
  for (let at = start; at < end; ) {
    const escape = escapeAt(text, at);
    if (escape !== undefined) {
      trace.add(escape.units, at);
      at += escape.length;
      continue;
    }
    const space = blankRun(text, at, end);
    if (space > at && text.slice(at, space).includes('\n')) {
      const breaks: number[] = [];
      for (let i = at; i < space; i++) if (text[i] === '\n') breaks.push(i);
      if (breaks.length === 1) trace.add(' ', breaks[0] ?? at);
      else for (const newline of breaks.slice(0, -1)) trace.add('\n', newline);
      at = space;
    } else {
      trace.copy(text, at, Math.max(space, at + 1));
      at = Math.max(space, at + 1);
    }
  }
  return trace;
}

function blankRun(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && /[ \t\r\n]/.test(text[at] ?? '')) at++;
  return at;
}

function noEscape(): undefined {
  return undefined;
}

function quotedQuoteAt(text: string, at: number): ReturnType<EscapeAt> {
  return text.startsWith("''", at) ? { units: "'", length: 2 } : undefined;
}

const letters: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['e', '\u001b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['\t', '\t'],
  ['v', '\v'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

const hexadecimal = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;
const continuedLine = /\\\r?\n[ \t]*/y;

function escapedAt(text: string, at: number): ReturnType<EscapeAt> {
  if (text[at] !== '\\') return undefined;
  hexadecimal.lastIndex = at;
  const hex = hexadecimal.exec(text);
  if (hex !== null) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '0', 16);
    return { units: code > 0x10ffff ? '' : String.fromCodePoint(code), length: hex[0].length };
  }
  continuedLine.lastIndex = at;
  const joined = continuedLine.exec(text);
  if (joined !== null) return { units: '', length: joined[0].length };
  const letter = text[at + 1] ?? '';
  return { units: letters.get(letter) ?? letter, length: 2 };
}
