import { versions } from 'node:process';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** The young generation of a further thread, in MB: most of what judging a stretch leaves behind fits. */
export const youngGeneration = 12;

/** Lets the thorough compiler of Node 20, which begins late here (see `start-quickly.ts`), begin as it would by itself. */
export function compileAsUsual(): void {
  if (versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=67584');
}

/**
 * Says that there is work for more than a second, and perhaps for several threads.
 *
 * Code is compiled as usual. Heaps are bounded, those of all threads: left to itself, V8 lets each grow to some 150 MB before it looks at
 * what of it is in use, which are 40 MB for 10,000 manifests; half as much again as is in use is enough. Young
 * generations of further threads have their size from the beginning, since none grows once the first one's is bounded.
 */
export function expectLongRun(): void {
  compileAsUsual();
  setFlagsFromString('--initial-old-space-size=48');
  setFlagsFromString('--heap-growing-percent=40');
  // One of three parts, as V8 counts.
  setFlagsFromString(`--min-semi-space-size=${youngGeneration / 3}`);
}

/** Bytes of the first thread's young generation beyond which it grows no further; Node 24 goes to 134 MB. */
const mostYoung = 16 * 2 ** 20;

let isBounded = false;

/** Keeps the young generation of this thread from growing once it is as large as is of use; asked now and then. */
export function boundYoungGeneration(): void {
  if (isBounded) return;
  const space = getHeapSpaceStatistics().find((each) => each.space_name === 'new_space');
  if (space === undefined || space.space_size < mostYoung) return;
  setFlagsFromString('--semi-space-growth-factor=1');
  isBounded = true;
}
