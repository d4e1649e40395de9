// Checks of arguments, and messages about wrong ones.
export {
  describeValue,
  type Expected,
  hasMembers,
  type OptionKind,
  requireArgument,
  requireList,
  requireOptions,
  requireText,
  requireValue,
} from './arguments.ts';
export { timeOf, timeOn } from './clock.ts';
export { closest, didYouMean } from './closest.ts';
export { errorText } from './error-text.ts';

// Objects.
export { type Defined, defined } from './defined.ts';
export { isPlainObject } from './plain-object.ts';
export { setKey } from './set-key.ts';

// Maps and stored results.
export { getOrMake, groupBy } from './get-or-make.ts';
export { lazily, memoize } from './memoize.ts';
