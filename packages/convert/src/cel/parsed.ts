import type { Expression } from '@kubeadmit/cel/syntax';
import { baseEnvironment } from '@kubeadmit/engine';

/** The tree of an expression of a policy; undefined for what is none. */
export function parsed(text: string): Expression | undefined {
  return baseEnvironment().parse(text).expression;
}
