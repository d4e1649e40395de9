// The texts for answers about Kyverno files; loaded with the first question about such a file.
export { jmespathFunctions, templateRequest, templateVariables } from './jmespath.ts';
export {
  kyvernoFieldWords,
  kyvernoSharedWords,
  kyvernoValueWords,
} from './kyverno-fields.ts';
export { kyvernoFunctionWords } from './kyverno-functions.ts';
