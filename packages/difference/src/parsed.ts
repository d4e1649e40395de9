import type { Expression } from '@kubeadmit/cel/syntax';
import { baseEnvironment } from '@kubeadmit/engine';

/** Parses a CEL expression of a policy; returns `undefined` if it is invalid. */
export function parsed(text: string): Expression | undefined {
  return baseEnvironment().parse(text).expression;
}
