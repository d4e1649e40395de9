import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc, the same on every Linux that Node runs on. */
const ticks = 100;

/** The seconds of processors that a process has used, all its threads together (proc_pid_stat(5)). */
export function processorSeconds(processId: number): number {
  const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** The memory of a process in MiB, now and at most (proc_pid_status(5)). */
export function memoryOf(processId: number): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { now: read('VmRSS'), most: read('VmHWM') };
}
