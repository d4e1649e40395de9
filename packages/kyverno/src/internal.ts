// What the conversion of rules reads of them; it may change with every version.

// Rules
export { computeRules } from './autogen/autogen.ts';
// Policies in CEL
export {
  type GeneratedSpec,
  generateMutating,
  generateValidating,
} from './cel-policies/autogen.ts';
// JMESPath
export type { Node } from './jmespath/node.ts';
export { parse } from './jmespath/parse.ts';
// Lists that merge
export { type MergeSchema, schemaOfField, schemaOfKind } from './mutate/merge-schema.ts';
// Kinds
export { type KindSelector, parseKindSelector } from './match/kind.ts';
// Fields of policies
export { policyTypes } from './policy-validation/policy-types.data.ts';
// Patterns
export { type Anchor, parseAnchor } from './validate/anchor.ts';
export { operatorOf, rangeEnds } from './validate/operator.ts';
export { satisfies } from './validate/scalar.ts';
// Variables
export { readVariables } from './variables/template.ts';
