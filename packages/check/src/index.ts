// Objects as Kyverno holds them.
export { jsonOf, policyJson } from './kyverno/json.ts';
