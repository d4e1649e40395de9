// Pods and what makes them as Go programs read them; apart, since it loads their fields at once.

export { programTypes, readStruct } from './decode/program.ts';
export { readWorkload, type WorkloadStruct } from './decode/workload.ts';
