// What the tools and tests of kubeadmit share and users rarely need; it may change with every version.
export { policyOfExpression, type ResourceName } from './policy/policy-with-binding.ts';
export { conversionTexts } from './texts.ts';
