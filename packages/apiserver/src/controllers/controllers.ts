import type { Machinery } from '../machinery.ts';

/** Starts what writes by itself: definitions are always established, the rest where the options say so. */
export function startControllers(_machinery: Machinery, _signal: AbortSignal): void {}
