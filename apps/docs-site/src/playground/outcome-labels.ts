import type { JudgedObject } from '../worker/judgement.ts';

/** How people read the outcome of an object. */
export const outcomeLabels: Readonly<Record<JudgedObject['outcome'], string>> = {
  denied: 'Denied',
  failed: 'Invalid',
  warned: 'Warned',
  audited: 'Audited',
  changed: 'Mutated',
  allowed: 'Allowed',
  unmatched: 'No policy matched',
};
