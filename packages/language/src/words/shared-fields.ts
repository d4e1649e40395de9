/**
 * The descriptions of fields with the same meaning in several structs, by field.
 *
 * The structs belong to policies, bindings, Kyverno's policies and tests.
 */
export const sharedFieldWords: Readonly<Record<string, string>> = {
  apiVersion: 'The group and version of the kind.',
  kind: 'The kind of the object.',
  metadata: 'Name, namespace, labels and annotations.',
  name: 'The name.',
  uid: 'The ID that the server assigned.',
  conditions: 'Conditions that must be true, or conditions of the status.',
  value: 'The value.',
  observedGeneration: 'The generation of the object that the status describes.',
  groups: 'The groups of the user.',
  extra: 'Additional attributes of the user: lists of strings by key.',
  dryRun: 'Whether the request is a dry run.',
  op: '`add`, `remove`, `replace`, `move`, `copy` or `test`.',
  path: 'A JSON pointer: `/spec/replicas`.',
  from: 'The JSON pointer of the value to move or copy.',
  equals: 'The complete text.',
  contains: 'A part of the text.',
};
