// Pods and workloads as Go programs read them; a separate entry, since it loads their fields at once.

export { programTypes, readStruct } from './decode/program.ts';
export { readWorkload, type WorkloadStruct } from './decode/workload.ts';
