import type { LabelSelector, Labels } from '@kubeadmit/apimachinery';

/** A label selector as `kubectl -l` has it. */
export function selectorText(selector: LabelSelector | null | undefined): string {
  const { matchLabels, matchExpressions } = selector ?? {};
  const parts = [
    ...Object.entries(matchLabels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(matchExpressions ?? []).map(({ key, operator, values }) => {
      if (operator === 'Exists') return `${key}`;
      if (operator === 'DoesNotExist') return `!${key}`;
      return `${key} ${operator === 'NotIn' ? 'notin' : 'in'} (${(values ?? []).join(', ')})`;
    }),
  ];
  return parts.join(', ');
}

/** Labels, or annotations, as people write them. */
export function labelsText(labels: Labels, noun = 'labels'): string {
  const entries = Object.entries(labels);
  if (entries.length === 0) return `no ${noun}`;
  return entries.map(([key, value]) => `${key}=${value}`).join(', ');
}
