// The managers of the fields of objects, which server-side apply needs.

// Changes of managers by a write
export { changeOwners, unrecordedManager } from './write/change-owners.ts';
// Values by the types of their fields
export { compareValues } from './write/compare.ts';
export {
  type FieldWrite,
  ignoredFields,
  ownable,
  ownEntry,
  pairIn,
  recordUpdate,
  trackUpdate,
  withoutRecord,
  withRecord,
} from './write/field-manager.ts';
// Sets of fields
export {
  difference,
  type FieldNode,
  type FieldSet,
  FieldSetBuilder,
  intersection,
  noFields,
  recursiveDifference,
  union,
  unionOf,
} from './write/field-set.ts';
// `metadata.managedFields`
export {
  type Managed,
  type ManagedFields,
  managedKey,
  readManagedFields,
} from './write/managed-fields.ts';
export { deduceType, elementOf, memberType } from './write/typed-value.ts';
