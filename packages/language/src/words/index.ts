// What fields, functions and variables are for, in our own words: what editors show, and the reference of the docs site.
export { costWords } from '../cel/costs.ts';
export { libraryCosts, ruleCosts } from './costs.ts';
export { functionWords } from './functions.ts';
export { jmespathFunctions, templateRequest, templateVariables } from './jmespath.ts';
export { kyvernoFieldWords, kyvernoSharedWords } from './kyverno-fields.ts';
export { kyvernoFunctionWords } from './kyverno-functions.ts';
export { policyFieldWords, valueWords } from './policy-fields.ts';
export { sharedFieldWords } from './shared-fields.ts';
export { requestWords, variableWords } from './variables.ts';
