// Shared with other packages of kubeadmit; unstable.

// Errors of fields and arguments
export { requireKind, requirePolicy } from './errors/arguments.ts';

// Metadata, labels and names
export { copyJson } from './objects/copy-json.ts';
export { type ManagedFieldsEntry, objectMetaFields } from './metadata/object-meta.ts';
