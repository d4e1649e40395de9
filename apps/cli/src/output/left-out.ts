import type { InputProblem } from '@kubeadmit/manifest';
import type { ReportItem } from './formats/report.ts';

/** What could not be used, for formats that are made of items: a report that others read must not be fine without it. */
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

/** Says that policies were given and none of them judged an object. */
export const nothingText = 'no policy matched any object, so nothing was checked';

/** An error about that, for the same formats. */
export function nothingItem(): ReportItem {
  const about = { rule: 'nothing-checked', name: 'all policies', file: '<arguments>' } as const;
  return { ...about, outcome: 'error', level: 'error', message: nothingText };
}

/** An error of `--strict`, for the same formats. */
export function idleItem(message: string): ReportItem {
  const about = { rule: 'strict', name: '--strict', file: '<arguments>' } as const;
  return { ...about, outcome: 'error', level: 'error', message };
}

/** What could not be used, as documents of `-o json` have it. */
export function leftOutRow({ file, place, message }: InputProblem) {
  return { file, line: place?.line, column: place?.column, message };
}
