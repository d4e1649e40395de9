import type { CheckedObject } from '@kubeadmit/check';
import type { CheckSummary } from './tally.ts';

/** An object that was checked, and how long that took. */
export interface TimedObject {
  readonly object: CheckedObject;
  readonly seconds: number;
}

/** The target of a report. */
export interface StreamTarget {
  readonly format: string;
  readonly isColoured: boolean;
  readonly isQuiet: boolean;
}

/** The formats in which findings have the lines of fields. */
const placed: ReadonlySet<string> = new Set([
  'github',
  'gitlab',
  'sarif',
  'markdown',
  'junit',
  'tap',
]);

/** Whether one of the formats shows findings with the lines of fields. */
export function arePlaced(targets: readonly StreamTarget[]): boolean {
  return targets.some(({ format }) => placed.has(format));
}

/** The same, with the parts of the report that are known before the first object. */
export interface StreamOptions extends StreamTarget {
  readonly policies: number;
  /** Whether no policy was given, so that objects are only validated. */
  readonly isSchemaCheck?: boolean | undefined;
  readonly kubernetesVersion: string;
}

/** A report in one format that is written while objects are still checked. */
export interface ReportStream {
  /** Adds the next objects, and returns the texts that can be written now. */
  add(objects: readonly TimedObject[]): Iterable<string>;
  /** Returns the rest of the text. */
  end(summary: CheckSummary): Iterable<string>;
}
