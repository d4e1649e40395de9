// What answers about files of Kyverno say besides: texts alone, loaded with the first question about one of them.
export { jmespathFunctions, templateRequest, templateVariables } from './jmespath.ts';
export {
  kyvernoFieldWords,
  kyvernoSharedWords,
  kyvernoValueWords,
} from './kyverno-fields.ts';
export { kyvernoFunctionWords } from './kyverno-functions.ts';
