import type { Path } from '@kubeadmit/manifest';
import type { verdicts } from './expectation-schema.ts';
import type { SourceReference } from './source-reference.ts';

/** What may become of a request, in the words of tests. */
export type ExpectedVerdict = (typeof verdicts)[number];

/** What a text must be: equal to one, or with parts, or as a regular expression says. */
export interface ExpectedText {
  readonly equals?: string;
  readonly contains?: readonly string[];
  readonly matches?: string;
}

/** What a case expects. */
export interface Expectation {
  /** Where it stands in the suite. */
  readonly path: Path;
  /** One of these has to be true. */
  readonly verdicts: readonly [ExpectedVerdict, ...ExpectedVerdict[]];
  readonly policy?: string;
  readonly binding?: string;
  readonly rule?: string;
  readonly message?: ExpectedText;
  readonly reason?: string;
  readonly code?: number;
  readonly validations?: readonly number[];
  readonly warnings?: readonly ExpectedText[];
  /** By key; null for one that must be absent. */
  readonly auditAnnotations?: Readonly<Record<string, ExpectedText | null>>;
  readonly object?: unknown;
  readonly wholeObject?: SourceReference;
  readonly patch?: readonly unknown[];
  readonly maxCost?: number;
  readonly snapshot?: boolean;
}
