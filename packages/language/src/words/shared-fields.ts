/**
 * What fields are for that stand in several structs of policies, bindings, Kyverno's policies and tests with one
 * meaning, in our own words, by field.
 */
export const sharedFieldWords: Readonly<Record<string, string>> = {
  apiVersion: 'The group and version of the kind.',
  kind: 'The kind of the object.',
  metadata: 'Name, namespace, labels and annotations.',
  name: 'The name.',
  uid: 'The id that the server gave.',
  conditions: 'Conditions that have to hold, or that the server has found.',
  value: 'The value.',
  observedGeneration: 'The generation of the object that this is about.',
  groups: 'The groups of the user.',
  extra: 'What else is known of the user: lists of texts by key.',
  dryRun: 'Whether nothing is stored.',
  op: '`add`, `remove`, `replace`, `move`, `copy` or `test`.',
  path: 'A JSON pointer: `/spec/replicas`.',
  from: 'The JSON pointer of what is moved or copied.',
  equals: 'The whole text.',
  contains: 'A part of the text.',
};
