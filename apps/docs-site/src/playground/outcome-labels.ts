import type { JudgedObject } from '../worker/judgement.ts';

/** The label of each outcome. */
export const outcomeLabels: Readonly<Record<JudgedObject['outcome'], string>> = {
  denied: 'Denied',
  failed: 'Invalid',
  warned: 'Warned',
  audited: 'Audited',
  errorIgnored: 'Error ignored',
  changed: 'Mutated',
  allowed: 'Allowed',
  unmatched: 'No policy matched',
};

/** The words after the number of objects with an outcome: `2 denied, 1 not matched`. */
export const outcomeCounts: Readonly<Record<JudgedObject['outcome'], string>> = {
  denied: 'denied',
  failed: 'invalid',
  warned: 'warned',
  audited: 'audited',
  errorIgnored: 'with an ignored error',
  changed: 'mutated',
  allowed: 'allowed',
  unmatched: 'not matched',
};
