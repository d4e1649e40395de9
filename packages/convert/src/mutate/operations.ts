import { escapePointerSegment } from '@kubeadmit/go';
import { quoted } from '../cel/literal.ts';
import { all, always, binding, negated, not, operand, type Term } from '../cel/term.ts';

/** A loop around operations, from the outside to the inside. */
export interface Loop {
  readonly list: Term;
  /** The names of the loop variables. */
  readonly index: string;
  readonly element: string;
  readonly filter: Term;
  readonly isReversed?: boolean;
}

/** A step of a JSON pointer: a key, the index of a list, or a text that is computed. */
export type Segment =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly term: Term }
  | { readonly kind: 'text'; readonly term: Term };

/** An operation of a JSON patch, and when and how often it is made. */
export interface Operation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: readonly Segment[];
  readonly from?: readonly Segment[];
  readonly value?: Term;
  readonly test: Term;
  readonly loops: readonly Loop[];
}

/** A key of an object as a step of a pointer. */
export function keySegment(key: string): Segment {
  return { kind: 'key', key };
}

/** A pointer with `*` for computed parts: two pointers with the same pattern may be the same path. */
export function patternOf(path: readonly Segment[]): string {
  return path
    .map((step) => `/${step.kind === 'key' && !/^\d+$/.test(step.key) ? step.key : '*'}`)
    .join('');
}

/** Operations, in their order, as the expression of a JSON patch. */
export function patchExpression(operations: readonly Operation[]): string {
  const groups: Operation[][] = [];
  for (const operation of unrepeated(operations)) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && isAlike(group[0], operation)) group.push(operation);
    else groups.push([operation]);
  }
  const parts = groups.map((group) => groupText(group));
  return parts.length === 1 ? withoutParentheses(parts[0] ?? '') : parts.join(' +\n');
}

// Operations of one loop that nothing moves can be made element by element.
function isAlike(one: Operation, other: Operation): boolean {
  const movesNothing = [one, other].every(
    ({ op, path }) => op === 'add' && path.at(-1)?.kind === 'key',
  );
  const isPlain = one.loops.length === 0 && one.test.text === always.text;
  return (isPlain || movesNothing) && sourceOf(one) === sourceOf(other);
}

function sourceOf({ loops, test }: Operation): string {
  return JSON.stringify([loops, test.text]);
}

function groupText(group: readonly Operation[]): string {
  const [first] = group;
  if (first === undefined) return '[]';
  const texts = group.map(operationText);
  const list =
    texts.length === 1 ? `[${texts[0]}]` : `[\n  ${texts.map(indented).join(',\n  ')}\n]`;
  if (first.loops.length > 0) {
    return texts.length === 1
      ? looped(first, first.loops, texts[0] ?? '')
      : looped(first, first.loops, list);
  }
  if (first.test.text === always.text) return list;
  const opposite = negated(first.test);
  return opposite === undefined
    ? `(${operand(first.test, binding.or)}\n  ? ${indented(list)}\n  : [])`
    : `(${operand(opposite, binding.or)}\n  ? []\n  : ${indented(list)})`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

function unrepeated(operations: readonly Operation[]): readonly Operation[] {
  const seen = new Set<string>();
  return operations.filter((operation) => {
    if (operation.op !== 'add' || operation.test.text === always.text) return true;
    const text = JSON.stringify(operation);
    return seen.has(text) ? false : seen.add(text);
  });
}

function withoutParentheses(text: string): string {
  return text.startsWith('(') ? text.slice(1, -1) : text;
}

function looped(operation: Operation, [loop, ...inner]: readonly Loop[], made: string): string {
  if (loop === undefined) return made;
  const isLast = inner.length === 0;
  const filter = isLast ? all([loop.filter, operation.test]) : loop.filter;
  const body = looped(operation, inner, made);
  const usesIndex = new RegExp(`\\b${loop.index}\\b`).test(`${body} ${filter.text}`);
  const names = usesIndex ? `${loop.index}, ${loop.element}` : loop.element;
  const head = filter.text === always.text ? [names] : [names, indented(filter.text)];
  const list = operand(loop.list, binding.member);
  const text = `${list}.${usesIndex ? 'transformList' : 'map'}(${head.join(', ')},\n  ${indented(body)})`;
  const turned = loop.isReversed === true ? `${text}.reverse()` : text;
  return isLast && !made.startsWith('[') ? turned : `${turned}.flatten()`;
}

function operationText({ op, path, from, value }: Operation): string {
  const parts = [
    `op: ${quoted(op)}`,
    ...(from === undefined ? [] : [`from: ${pointerText(from)}`]),
    `path: ${pointerText(path)}`,
    ...(value === undefined ? [] : [`value: ${value.text}`]),
  ];
  return `JSONPatch{${parts.join(', ')}}`;
}

function pointerText(path: readonly Segment[]): string {
  const parts: string[] = [];
  let text = '';
  for (const step of path) {
    text += '/';
    if (step.kind === 'key') text += escapePointerSegment(step.key);
    else {
      parts.push(quoted(text));
      text = '';
      parts.push(
        step.kind === 'index' ? `string(${step.term.text})` : operand(step.term, binding.sum),
      );
    }
  }
  if (text !== '' || parts.length === 0) parts.push(quoted(text));
  return parts.join(' + ');
}

/** The operation that creates a missing map or list. */
export function creation(
  path: readonly Segment[],
  presence: Term,
  { value, loops }: { readonly value: Term; readonly loops: readonly Loop[] },
): Operation {
  return { op: 'add', path, value, test: not(presence), loops };
}
