// Kyverno's work in the background: objects that it generates, changes and deletes after requests.

// Generation
export { type Generator, type GeneratorRule, policyKey } from './kyverno/generators.ts';
export {
  isChangedSince,
  isNewerThan,
  isNewerThanChange,
  type StoredObject,
  timeOfChange,
  type WantedOfTrigger,
} from './kyverno/wanted.ts';

// Mutation of existing objects
export type { TriggerChange } from './kyverno/existing-targets.ts';
export type { Mutator } from './kyverno/mutators.ts';

// Cleanup
export type { Cleaner } from './kyverno/cleaners.ts';
export { expiryOf } from './kyverno/expiry.ts';
