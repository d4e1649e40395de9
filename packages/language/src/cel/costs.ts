import { loopMacros } from '@kubeadmit/cel/syntax';
import { costRules } from '@kubeadmit/engine/environment';

/** Texts about costs. */
export type CostTexts = Pick<typeof import('./cost-words.ts'), 'ruleCosts' | 'libraryCosts'>;

/** Describes the cost of a function call; most calls cost 1. */
export function costWords(costs: CostTexts, name: string): string {
  const { ruleCosts, libraryCosts } = costs;
  const rule = costRules.get(name);
  if (rule !== undefined) return ruleCosts[rule];
  if (loopMacros.has(name)) return 'the cost of its expression for each element';
  return libraryCosts.find(([, names]) => names.includes(name))?.[0] ?? '1';
}
