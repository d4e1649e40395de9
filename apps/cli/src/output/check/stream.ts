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

/** The formats whose findings are shown beside the lines of files. */
const placed: ReadonlySet<string> = new Set(['github', 'gitlab', 'sarif']);

/** Whether one of the formats shows findings beside the lines of files. */
export function arePlaced(targets: readonly StreamTarget[]): boolean {
  return targets.some(({ format }) => placed.has(format));
}

/** The same, and what is known of the report before the first object. */
export interface StreamOptions extends StreamTarget {
  readonly policies: number;
  /** Whether no policy was given, so that objects are only validated. */
  readonly isSchemaCheck?: boolean | undefined;
  readonly kubernetesVersion: string;
}

/**
 * A report in one format that is written while objects are still checked, a part at a time.
 *
 * Parts hang together with nothing, so that they can be made in other threads; adding them in the order of the objects
 * gives the same text whatever the parts are.
 */
export interface ReportStream<Part = unknown> {
  /** Returns the format's part for some objects; it can be sent between threads. */
  part(objects: readonly TimedObject[]): Part;
  /** Takes the next part, and gives the texts that can be written then. */
  add(part: Part): Iterable<string>;
  /** The rest of the text. */
  end(summary: CheckSummary): Iterable<string>;
}
