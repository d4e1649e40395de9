// Objects of definitions
export type { ObservedRule, ObserveRule } from './rules/run-rule.ts';
export { schemaFindings } from './schema-findings.ts';
export {
  type CustomResource,
  type StoredCustomResource,
  storeCustomResource,
} from './validate-custom-resource.ts';
