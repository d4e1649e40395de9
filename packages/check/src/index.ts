// Objects as Kyverno holds them.
export { type JsonObject, jsonOf, policyJson } from './kyverno/json.ts';
