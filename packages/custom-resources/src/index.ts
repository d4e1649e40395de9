// Definitions
export type { DefiningServer } from './definition/defining-server.ts';
export { validateDefinition } from './definition/validate-definition.ts';
// Their objects
export {
  type CustomResource,
  type StoredCustomResource,
  storeCustomResource,
} from './validate-custom-resource.ts';
export type { ObservedRule, ObserveRule } from './rules/run-rule.ts';
export { schemaFindings } from './schema-findings.ts';
// A definition and an object of it at once
export {
  type DefinitionAnswer,
  type DefinitionInput,
  validateWithDefinition,
} from './validate-with-definition.ts';
