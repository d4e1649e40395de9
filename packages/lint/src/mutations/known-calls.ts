import { escapePointerSegment } from '@kubeadmit/go';
import type { Known } from './known.ts';
import { textOf } from './known-parts.ts';

type Values = readonly (Known | undefined)[];

/** Returns the known facts about a call that creates or opens an optional value, or `undefined`. */
export function callOfOptional(
  name: string,
  target: Known | undefined,
  [first]: Values,
  position: number,
): Known | undefined {
  switch (name) {
    case 'optional.of':
      return { kind: 'optional', value: first, isSure: true, position };
    case 'optional.ofNonZeroValue':
      return { kind: 'optional', value: first, isSure: false, position };
    case 'optional.none':
      return { kind: 'optional', value: undefined, isSure: true, position };
    case 'orValue':
      if (target?.kind !== 'optional' || first === undefined) return undefined;
      if (target.value === undefined) return first;
      if (target.isSure) return target.value;
      return { kind: 'choice', options: [target.value, first], position };
    case 'value':
      return target?.kind === 'optional' ? target.value : undefined;
    default:
      return undefined;
  }
}

/** Returns the known facts about a call that converts its argument to a string, or `undefined`. */
export function callOfText(name: string, [first]: Values, position: number): Known | undefined {
  switch (name) {
    case 'jsonpatch.escapeKey':
      if (first?.kind !== 'scalar' || typeof first.value !== 'string')
        return { kind: 'text', pieces: [{ hasSlash: false }], position };
      return { kind: 'scalar', value: escapePointerSegment(first.value), position };
    case 'string':
      return first && { kind: 'text', pieces: textOf(first), position };
    default:
      return undefined;
  }
}
