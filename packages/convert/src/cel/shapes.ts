import type { Shape } from '@kubeadmit/schemas/types';

/** The shapes of values that are computed, in Go's names. */
export const stringShape: Shape = { kind: 'string', pointer: false, go: 'string' };
export const boolShape: Shape = { kind: 'bool', pointer: false, go: 'bool' };
export const intShape: Shape = { kind: 'int64', pointer: false, go: 'int64' };
export const doubleShape: Shape = { kind: 'float64', pointer: false, go: 'float64' };
export const stringsShape: Shape = listShape('[]string', stringShape);

/** The shape of a list: its Go type, and its elements where they are known. */
export function listShape(go: string, element?: Shape): Shape {
  return { kind: 'list', pointer: false, go, ...(element === undefined ? {} : { element }) };
}
