// The types by which apply configurations and field managers merge objects.

export { mergeType, objectType } from './merge/find-merge-type.ts';
export type { MergeList, MergeMap, MergeScalar, MergeType } from './merge/merge-type.ts';
