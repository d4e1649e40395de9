/** A reference from an object to its owner (meta/v1 OwnerReference). */
export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean | null;
  readonly blockOwnerDeletion?: boolean | null;
}

/** The validated part of an object's metadata (meta/v1 ObjectMeta). */
export interface ObjectMeta {
  /** Names the object within its namespace. */
  readonly name?: string;
  /** The prefix of a generated name. */
  readonly generateName?: string;
  /** Absent for objects in none. */
  readonly namespace?: string;
  /** Names the object among all that ever were. */
  readonly uid?: string;
  /** Changes with every write; to be compared for equality. */
  readonly resourceVersion?: string;
  /** The number of changes of the desired state. */
  readonly generation?: number | bigint;
  /** RFC 3339, whole seconds, UTC. */
  readonly creationTimestamp?: string | null;
  /** The time of the deletion request; absent for objects that are not being deleted. */
  readonly deletionTimestamp?: string | null;
  /** How long it may take to go, in seconds. */
  readonly deletionGracePeriodSeconds?: number | bigint | null;
  /** Labels, for selectors. */
  readonly labels?: Readonly<Record<string, string>> | null;
  /** Texts for people and programs. */
  readonly annotations?: Readonly<Record<string, string>> | null;
  /** The objects that it goes with. */
  readonly ownerReferences?: readonly OwnerReference[] | null;
  /** Who has something to do before it goes. */
  readonly finalizers?: readonly string[] | null;
  /** Who set which field. */
  readonly managedFields?: readonly ManagedFieldsEntry[] | null;
}

/** The fields of metadata in the order in which Go writes them. */
export const objectMetaFields: readonly (keyof ObjectMeta)[] = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

/** One entry of the record of who set which fields (meta/v1 ManagedFieldsEntry). */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly fieldsType?: string;
  readonly subresource?: string;
}
