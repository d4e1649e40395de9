// Writes of a server: objects in the form that it stores, with the fields that it sets itself.

// Objects as they come and go
export { decodeManifest } from './write/decode-manifest.ts';
export { withNilLists } from './write/nil-lists.ts';
export { plainObject, toVersion } from './write/to-version.ts';
export { zeroObject } from './write/zero-object.ts';

// Fields that a server sets in new and changed objects
export { annotatedProfile, profileOf } from './write/app-armor.ts';
export { beforeUpdate } from './write/before-update.ts';
export { validateDataSources } from './write/data-source.ts';
export { prepareNew } from './write/prepare-new.ts';
export { withRequester } from './write/requester.ts';
export { fieldValues, memberAt } from './write/strategy.ts';
export { internalMetadata } from './write/template-generation.ts';

// Comparison of objects, as Go compares them
export { changesOwnershipOnly, semanticallyEqual } from './write/semantic-equality.ts';

// Paths of resources and the versions that they are stored in
export {
  type Endpoint,
  endpointOf,
  findEndpoint,
  isCore,
  isServed,
  storedEndpoint,
} from './write/endpoint.ts';

// Metadata
export {
  type FieldsEntry,
  type Metadata,
  metadataOf,
  nameOf,
  withMember,
  withMetadata,
  withoutMember,
  withRevision,
} from './write/metadata.ts';

// Addresses and ports of services
export {
  Allocation,
  isServiceWrite,
  placesOf,
  RangeFullError,
  type ServicePlaces,
  type ServiceSpec,
  type ServiceWrite,
  specOf,
} from './write/service-allocation.ts';
