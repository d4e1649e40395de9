// Kyverno's policies and exceptions among objects.

// Objects as Kyverno reads them.
export { jsonOf, policyJson } from './readers/json.ts';
export { type KyvernoRole, kyvernoRole } from './readers/kyverno-role.ts';
export {
  type ClassicPolicy,
  type KyvernoExceptions,
  type KyvernoPolicies,
  readAcceptedExceptions,
  readKyvernoExceptions,
  readKyvernoPolicies,
} from './readers/policies.ts';
