import { dirname } from 'node:path';
import type { InputProblem } from '@kubeadmit/manifest';

/** Files of one folder that are still reported one by one. */
const mostLines = 2;

/**
 * Joins the warnings about files that a folder contains and that were skipped for the same reason.
 *
 * Up to two files of a folder keep their own warnings. The JSON output lists all files.
 */
export function foldSkipped(skipped: readonly InputProblem[]): readonly InputProblem[] {
  const groups = new Map<string, InputProblem[]>();
  for (const problem of skipped) {
    const key = JSON.stringify([dirname(problem.file), problem.message]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [problem]);
    else group.push(problem);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length <= mostLines) return group;
    const why = first.message.replace(/^skipped: /, '');
    const message = `skipped ${group.length} files: ${why} (-o json lists them)`;
    return { file: dirname(first.file), message };
  });
}
