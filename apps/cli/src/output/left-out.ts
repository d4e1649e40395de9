import type { Report } from '@kubeadmit/check';
import type { InputProblem } from '@kubeadmit/manifest';
import type { ReportItem } from './report.ts';

/** Returns the report item of a skipped input, so that a report of items is not green without it. */
export function leftOutItem({ file, place, message }: InputProblem): ReportItem {
  return {
    rule: 'invalid-input',
    name: file,
    outcome: 'error',
    level: 'error',
    message,
    file,
    line: place?.line,
    column: place?.column,
  };
}

/** A manifest that was found and not read, for the same formats. */
export function skippedItem({ file, message }: InputProblem): ReportItem {
  return { rule: 'skipped', name: file, outcome: 'skip', level: 'warning', message, file };
}

/** Says that policies were given and none of them judged an object; invalid objects are never judged. */
export function nothingText({ invalidObjects }: Report['coverage']): string {
  const noun = invalidObjects === undefined ? 'object' : 'valid object';
  return `no policy matched any ${noun}, so nothing was checked`;
}

/** An error about that, for the same formats, in the file of a policy. */
export function nothingItem(file: string, coverage: Report['coverage']): ReportItem {
  const about = { rule: 'nothing-checked', name: 'all policies', file } as const;
  return { ...about, outcome: 'error', level: 'error', message: nothingText(coverage) };
}

/** An error of `--strict`, for the same formats, in the file of a policy. */
export function idleItem(message: string, file: string): ReportItem {
  const about = { rule: 'strict', name: '--strict', file } as const;
  return { ...about, outcome: 'error', level: 'error', message };
}

/** Returns the row of a skipped input in documents of `-o json`. */
export function leftOutRow({ file, place, message }: InputProblem) {
  return { file, line: place?.line, column: place?.column, message };
}
