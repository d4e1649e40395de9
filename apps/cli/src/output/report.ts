/** The severity of a finding. */
export type Level = 'error' | 'warning' | 'note' | 'none';

/** The result of one test or object, from which all formats are built. */
export interface ReportItem {
  /** The identifier of the finding: the policy and rule, or the code of a lint rule. */
  readonly rule: string;
  /** The name of the test or object. */
  readonly name: string;
  readonly outcome: 'pass' | 'fail' | 'error' | 'skip';
  readonly level: Level;
  readonly message: string;
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** How long it took, where that was measured. */
  readonly seconds?: number | undefined;
}

/** A report of a command that knows all items, whatever the format that it is written in. */
export interface FormatReport {
  /** `kubeadmit test`, for titles. */
  readonly title: string;
  readonly items: readonly ReportItem[];
  /** A short summary (default: the counts of passed and failed). */
  readonly counts?: string | undefined;
  /** Remarks, such as policies that matched nothing. */
  readonly remarks: readonly string[];
  /** The document of `-o json`. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The rows of that document, for `-o ndjson`. */
  readonly rows: readonly unknown[];
}

/** A format that is written while items still arrive. */
export interface ItemFormat {
  /** Adds the next items, and returns the texts that can be written now. */
  add(items: readonly ReportItem[]): Iterable<string>;
  /** Yields the rest, with the remarks. */
  end(remarks: readonly string[]): Iterable<string>;
}

/** How many items came out in each way. */
export type OutcomeCounts = Record<ReportItem['outcome'], number>;

/** Counts of no items. */
export function noOutcomes(): OutcomeCounts {
  return { pass: 0, fail: 0, error: 0, skip: 0 };
}

/** Returns the items that need attention. */
export function findingsIn(items: readonly ReportItem[]): readonly ReportItem[] {
  return items.filter(({ level }) => level !== 'none');
}
