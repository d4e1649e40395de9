// Shared with other packages of kubeadmit; unstable.

// Coverage in words, and hosts that read each file once
export { countPoints, percentText } from './covered/summary.ts';
export { memoizedHost } from './mutants/find-survivors.ts';
