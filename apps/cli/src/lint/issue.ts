import type { InputProblem } from '../manifest/documents.ts';
import type { Manifest } from '../manifest/manifest.ts';

/** Something that is wrong with a policy or a binding. */
export interface LintIssue extends InputProblem {
  readonly manifest: Manifest;
  /** The path of the field that is meant; empty for the whole object. */
  readonly field: string;
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** Whether kube-apiserver would refuse the object because of it. */
  readonly refused: boolean;
}
