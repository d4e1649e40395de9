// The texts and values for answers about Kubernetes policies; loaded with the first question.
export { libraryCosts, ruleCosts } from '../cel/cost-words.ts';
export { deprecatedFieldWords } from './deprecated-fields.ts';
export { enumValues, fieldValues, mapKeys } from './enum-values.ts';
export { functionWords } from './functions.ts';
export { policyFieldWords, valueWords } from './policy-fields.ts';
export { sharedFieldWords } from './shared-fields.ts';
export { requestWords, variableWords } from './variables.ts';
