import type { Path } from '@kubeadmit/manifest';
import type { verdicts } from './expectation-schema.ts';
import type { SourceReference } from './source-reference.ts';

/** A verdict, as tests name it. */
export type ExpectedVerdict = (typeof verdicts)[number];

/** The expectation of a text: an equal one, one with given parts, or one that matches a regular expression. */
export interface ExpectedText {
  readonly equals?: string;
  readonly contains?: readonly string[];
  readonly matches?: string;
}

/** The expectation of a case. */
export interface Expectation {
  /** The position in the suite. */
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
