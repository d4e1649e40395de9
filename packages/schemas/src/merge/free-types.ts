import type { MergeType } from './merge-type.ts';

const noField = (): undefined => undefined;

/** Values that nothing is known about and that are replaced as a whole (`__untyped_atomic_`). */
export const untypedAtomic: MergeType = {
  scalar: 'untyped',
  get list() {
    return { element: untypedAtomic, atomic: true, keys: [] };
  },
  get map() {
    return { atomic: true, field: noField, element: untypedAtomic };
  },
};

/** Values whose form determines how they merge: maps by key, all others as one value (`__untyped_deduced_`). */
export const deduced: MergeType = {
  scalar: 'untyped',
  get list() {
    return { element: untypedAtomic, atomic: true, keys: [] };
  },
  get map() {
    return { atomic: false, field: noField, element: deduced };
  },
};

/** Objects with any fields. */
export const freeForm: MergeType = {
  get map() {
    return { atomic: false, field: noField, element: deduced };
  },
};
