import { type InputProblem, type Manifest, parseFieldPath } from '@kubeadmit/manifest';

/** How bad an issue is. */
export type Severity = 'error' | 'warning' | 'info';

/** Something that is wrong with a policy or a binding, or with an input that cannot be read. */
export interface LintIssue extends InputProblem {
  /** Absent where there is no object: the input could not be read. */
  readonly manifest?: Manifest;
  /** The path of the field that is meant; empty for the whole object. */
  readonly field: string;
  readonly code: string;
  readonly severity: Severity;
  /** Whether kube-apiserver would refuse the object because of it. */
  readonly refused: boolean;
}

/** An issue about an input that cannot be read, or holds what is no Kubernetes object. */
export function unreadable(problem: InputProblem): LintIssue {
  return { ...problem, field: '', code: 'unreadable', severity: 'error', refused: false };
}

/** What an issue says besides its place. */
export type IssueText = Pick<LintIssue, 'code' | 'severity' | 'message'>;

/** An issue about a field of an object; with `within`, about a UTF-16 unit of its text. */
export function issueAt(
  manifest: Manifest,
  field: string,
  { code, severity, message }: IssueText,
  within?: number,
): LintIssue {
  const path = parseFieldPath(field);
  return {
    manifest,
    file: manifest.file,
    field,
    code,
    severity,
    message,
    refused: false,
    place: manifest.place(path, within),
    source: manifest.origin.source,
    ...(within === undefined ? {} : { from: manifest.place(path, 0).line }),
  };
}
