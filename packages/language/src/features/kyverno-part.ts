// Loaded only for files with policies, exceptions or tests of Kyverno, in addition to texts.
export { kyvernoDialect, kyvernoRuleDialect } from '../cel/kyverno-dialect.ts';
export { tableFields, tableRoot } from '../fields/table-types.ts';
export { kyvernoValues } from './complete-kyverno.ts';
export { completeTemplate } from './complete-template.ts';
export { hoverTemplate } from './hover-template.ts';
export { repair } from './kyverno-repairs.ts';
