// Work of policies beside requests: generation, mutation of existing objects, cleanup.

// Generation
export type { GenerationPlace } from './cel-policies/generated-objects.ts';
export { generateForRequest } from './cel-policies/generating.ts';
export { generatingRules, wantedObjects, type WantedObjects } from './policy/wanted-objects.ts';

// Mutation of existing objects
export {
  type ExistingObject,
  mutateExistingByCel,
  namesTargets,
  triggersMutation,
} from './cel-policies/existing-targets.ts';
export { mutateExisting } from './cel-policies/existing.ts';
export type { FindTargets, TargetOutcome, TargetQuery } from './mutate/targets.ts';
export { existingRules, mutateExistingTargets } from './policy/existing-targets.ts';

// Cleanup
export { deletesObject } from './cel-policies/deleting.ts';
export { cleansObject } from './cleanup/cleans-object.ts';
export { type CleanupPolicy, compileCleanupPolicy } from './cleanup/policy.ts';
export { deletionTime } from './cleanup/time-to-live.ts';
