// Manifests of a check: objects that the server does not know or would refuse, duplicates and bindings.

export { automaticBinding, type BindingAction } from './inputs/automatic-binding.ts';
// Kinds and fields of the server
export {
  boundPolicy,
  isKnown,
  unknownKinds,
  unknownKindText,
  withoutBinding,
} from './inputs/configuration.ts';
// Definitions
export { definitionProblems, definitionsAmong } from './inputs/definitions.ts';
export { settleDuplicates } from './inputs/duplicates.ts';
export type { Role } from './inputs/inputs.ts';
export { isBuiltinGroup } from './inputs/kind-hints.ts';
export { refusalProblems } from './inputs/refusal-problems.ts';
export { refusedObjects } from './inputs/refused-objects.ts';
export { findUnknownFields, type UnknownField } from './inputs/unknown-fields.ts';
