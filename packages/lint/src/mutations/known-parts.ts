import type { Type } from '@kubeadmit/cel';
import { dynType } from '@kubeadmit/cel/types';
import { isInt } from '@kubeadmit/cel/values';
import { type Known, type KnownElement, placed, type TextPiece } from './known.ts';

/** Returns the known facts about the sum of two lists or strings. */
export function sumOf(left: Known, right: Known, position: number): Known | undefined {
  // A sum with an empty list is the other one.
  if (isEmptyList(right)) return placed(left, position);
  if (isEmptyList(left)) return placed(right, position);
  const isList = left.kind === 'list' || right.kind === 'list';
  const [one, other] = [left, right].map((each) => elementsOf(each) ?? (isList ? [] : undefined));
  if (one !== undefined && other !== undefined) {
    const isComplete = left.kind === 'list' && right.kind === 'list';
    const elements = [...one, ...other];
    return {
      kind: 'list',
      elements,
      isComplete: isComplete && left.isComplete && right.isComplete,
      isSum: true,
      position,
    };
  }
  if (!isText(left) && !isText(right)) return undefined;
  const pieces = [...textOf(left), ...textOf(right)];
  const whole = pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : undefined;
  return whole === undefined
    ? { kind: 'text', pieces, position }
    : { kind: 'scalar', value: whole, position };
}

function isEmptyList(known: Known): boolean {
  return known.kind === 'list' && known.isComplete && known.elements.length === 0;
}

/** An element of the list of a loop, if it is known. */
export function elementOf(range: Known, position: number): Known | undefined {
  if (range.kind === 'list') {
    const options = range.elements.map(({ value }) => value);
    return range.isComplete || options.length === 1
      ? { kind: 'choice', options, position }
      : undefined;
  }
  if (range.kind !== 'data') return undefined;
  const { list, map } = range.type;
  const path = `${range.path}[]`;
  if (list !== undefined) {
    return map === undefined ? { kind: 'data', type: list.element, path, position } : undefined;
  }
  return map?.element && { kind: 'data', type: map.element, path, position };
}

/** The value of an element or entry that is written with `?`. */
export function unwrapped(known: Known): KnownElement {
  if (known.kind !== 'optional') return { value: known, isSure: false };
  const nothing: Known = { kind: 'result', type: dynType, position: known.position };
  return { value: known.value ?? nothing, isSure: known.isSure && known.value !== undefined };
}

function elementsOf(known: Known): readonly KnownElement[] | undefined {
  if (known.kind === 'list') return known.elements;
  if (known.kind === 'choice') {
    const options = known.options.map(elementsOf);
    if (!options.every((each) => each !== undefined)) return undefined;
    return options.flatMap((each) => each.map((element) => ({ ...element, isSure: false })));
  }
  const isList =
    known.kind === 'data'
      ? known.type.list !== undefined && known.type.map === undefined
      : known.kind === 'result' && isListType(known.type);
  return isList ? [] : undefined;
}

function isListType(type: Type): boolean {
  return type.kind === 'list';
}

function isText(known: Known): boolean {
  return known.kind === 'text' || (known.kind === 'scalar' && typeof known.value === 'string');
}

/** The pieces of a value as `string()` converts it. */
export function textOf(known: Known): readonly TextPiece[] {
  if (known.kind === 'text') return known.pieces;
  if (known.kind === 'scalar') {
    if (typeof known.value === 'string') return [known.value];
    if (typeof known.value === 'boolean' || isInt(known.value)) return [String(known.value)];
  }
  const kind = known.kind === 'result' ? known.type.kind : '';
  return [{ hasSlash: !['int', 'uint', 'bool', 'double'].includes(kind) }];
}
