import type { Shape } from '@kubeadmit/schemas/types';
import { shapeOf, termOf, type Value } from './value.ts';

/** Whether an object may hold a text with wildcards at a place: any, but for names, labels and keys. */
export function mayHoldWildcards(value: Value): boolean {
  switch (value.kind) {
    case 'projection':
      return mayHoldWildcards(value.item);
    case 'path':
      return isText(value.path.known.shape) && !plainPlace.test(value.path.term.text);
    case 'term':
      return (
        value.isName !== true &&
        isText(value.shape) &&
        !/^request\.|\.map\(key, key\)(?:\)?\.flatten\(\))?$/.test(value.term.text) &&
        !plainPlace.test(value.term.text)
      );
    default:
      return false;
  }
}

const plainPlace = /metadata\.\??(?:name|namespace|labels)\b/;

/** Whether a value of this shape is a string. */
export function isText(shape: Shape | undefined): boolean {
  const kind = shape?.kind === 'list' ? shape.element?.kind : shape?.kind;
  return kind === undefined || kind === 'string';
}

const scalarKinds: ReadonlySet<string> = new Set(['bool', 'int32', 'int64', 'float64']);

/** Whether every value of this shape is a boolean or a number. */
export function isScalar(shape: Shape | undefined): boolean {
  return scalarKinds.has(shape?.kind ?? '');
}

/** Whether a value may hold quotes, backslashes, line breaks or braces: any, but for scalars, names and labels. */
export function mayHoldSyntax(value: Value): boolean {
  if (value.kind === 'literal') return /["'\\\p{Cc}]|\{\{/u.test(String(value.value));
  const shape = shapeOf(value);
  if (isScalar(shape?.element ?? shape)) return false;
  const { text } = termOf(value);
  if ([plainPlace, namePlace, labelPlace].some((place) => place.test(text))) return false;
  const isUser = value.kind === 'term' && text.includes('userInfo');
  return mayHoldWildcards(value) || isUser || !isText(shape);
}

// Containers, volumes and ports have names without such characters; variables of the environment may not.
const namePlace = /^(?!.*\benv\b).*\.\??name$/;

const labelPlace = /\.\??matchLabels\b/;
