// Shared with other packages of kubeadmit; unstable.

// Policies in CEL, with everything they need
export { type CelException, mayExpire, readCelException } from './cel-policies/exceptions.ts';
export { deletesObject, deletesPayload } from './cel-policies/deleting.ts';
export { mutateExisting } from './cel-policies/existing.ts';
export { generateForRequest } from './cel-policies/generating.ts';
export { type ImageResponse, ImageValidation } from './cel-policies/images/validate-images.ts';
export { pinDigests } from './cel-policies/images/pin-digests.ts';
export type { GenerationPlace } from './cel-policies/generated-objects.ts';
export { type CompileOptions, requireCompileOptions } from './cel-policies/policy.ts';
export type { ResourceQuery } from './cel-policies/libraries/sources.ts';
export { brokenPolicy, validatePayload } from './cel-policies/validating.ts';
export { authorizeRequest, readAuthorizationRequest } from './cel-policies/authorize.ts';
export {
  type AuthorizationMode,
  isAuthorizationMode,
} from './cel-policies/authorization-environment.ts';
export { PayloadError } from './cel-policies/authorization/decode-message.ts';
export type { Message } from './cel-policies/authorization/message-types.ts';
export { policyLanguage } from './cel-policies/environment.ts';
export { kubernetesMinor } from './cel/kubernetes-minor.ts';
export { toCelValue } from './cel/cel-value.ts';
export { orValueLibrary } from './cel/or-value.ts';
export {
  askNativePolicy,
  findNamespace,
  isNativeKind,
  type NativeObjects,
  type NativePolicy,
  readNativePolicy,
} from './cel-policies/native.ts';

// Generation in the background
export { generatingRules, type WantedObjects, wantedObjects } from './policy/wanted-objects.ts';

// Mutation of existing objects in the background
export {
  type ExistingObject,
  mutateExistingByCel,
  namesTargets,
  type TargetPlace,
  triggersMutation,
} from './cel-policies/existing-targets.ts';
export type { FindTargets, TargetOutcome, TargetQuery } from './mutate/targets.ts';
export { existingRules, mutateExistingTargets } from './policy/existing-targets.ts';

// Cleanup
export { type CleanupPolicy, compileCleanupPolicy } from './cleanup/policy.ts';
export { cleansObject } from './cleanup/cleans-object.ts';
export { deletionTime } from './cleanup/time-to-live.ts';

// Cases of the machine interface
export {
  answerConditions,
  answerJmesPath,
  answerSubstitute,
  prepareConditions,
} from './machine.ts';
export {
  answerAutogen,
  answerGenerate,
  answerRules,
  type AutogenCase,
  type GenerateCase,
  prepareRules,
  type RulesCase,
} from './machine-rules.ts';

// Policies
export { matcherOf } from './context/deferred-entries.ts';
export { withDoubles } from './context/numbers.ts';
export type { SourceAnswer } from './context/sources.ts';
export { applyPoliciesInSteps, type RequestSetting } from './policy/apply-policies.ts';
export { lateMessage } from './policy/engine.ts';
export { mayEnforce, readAction } from './rule/failure-action.ts';
export { readUser } from './rule/user.ts';

// Fields of policies
export { hasOrder } from './conditions/ordering.ts';
export { clusterScopes } from './policy-validation/kind-scopes.ts';
export { conditionOperators } from './policy-validation/policy-schema.data.ts';

// Generated rules
export { computeRules } from './autogen/autogen.ts';
export { generateMutating, generateValidating } from './cel-policies/autogen.ts';

// Status of policies
export { specStatus } from './status/spec-status.ts';

// JMESPath
export { functionNames } from './jmespath/functions/table.ts';
export type { Node } from './jmespath/node.ts';
export { parse } from './jmespath/parse.ts';

// Lists that merge
export { type MergeSchema, schemaOfField, schemaOfKind } from './mutate/merge-schema.ts';

// The Pod Security Standards as Kyverno knows them
export { knownSysctls, minorVersionOf } from './pod-security/checks.ts';

// Names of images
export { type ImageReference, readImageReference } from './images/image-reference.ts';

// JSON patches
export { decodePatch } from './mutate/json-patch.ts';

// Variables
export { readVariables } from './variables/template.ts';
