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

/** How a number of objects with an outcome is counted: `2 denied, 1 not matched`. */
export const outcomeCounts: Readonly<Record<JudgedObject['outcome'], string>> = {
  denied: 'denied',
  failed: 'invalid',
  warned: 'warned',
  audited: 'audited',
  changed: 'mutated',
  allowed: 'allowed',
  unmatched: 'not matched',
};
