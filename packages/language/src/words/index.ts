// The purpose of fields, functions and variables in our own words, for editors and for the reference of the docs
// site.

export { libraryCosts, ruleCosts } from '../cel/cost-words.ts';
export { costWords } from '../cel/costs.ts';
export { functionWords } from './functions.ts';
export { jmespathFunctions, templateRequest, templateVariables } from './jmespath.ts';
export { kyvernoFieldWords, kyvernoSharedWords, kyvernoValueWords } from './kyverno-fields.ts';
export { kyvernoFunctionWords } from './kyverno-functions.ts';
export { policyFieldWords, valueWords } from './policy-fields.ts';
export { sharedFieldWords } from './shared-fields.ts';
export { requestWords, variableWords } from './variables.ts';
