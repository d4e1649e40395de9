import { formatFieldPath } from '@kubeadmit/apimachinery/field-errors';
import { requireArgument } from '@kubeadmit/base';
import {
  type InputProblem,
  type Manifest,
  type Path,
  parseFieldPath,
  type TextEdit,
} from '@kubeadmit/manifest';
import type { CompilerCause } from './compiler-cause.ts';
import { located, type Part } from './located.ts';

/** How bad an issue is. */
export type Severity = 'error' | 'warning' | 'info';

/** Something that is wrong with a policy or a binding, or with an input that cannot be read. */
export interface LintIssue extends InputProblem {
  /** Absent where there is no object: the input could not be read. */
  readonly manifest?: Manifest;
  /** The path of the field that is meant; empty for the whole object. */
  readonly field: string;
  /** The code of the rule, which settings and comments name. */
  readonly code: string;
  /** How bad it is. */
  readonly severity: Severity;
  /** Whether kube-apiserver would refuse the object because of it. */
  readonly refused: boolean;
  /** How it is repaired, where that is certain. */
  readonly fix?: Fix | undefined;
  /** The compiler's error that the issue is about. */
  readonly cause?: CompilerCause;
  /** For a repeated name, the manifest that has it first; the message contains its `file` and `line`. */
  readonly first?: Manifest;
}

/** Creates an issue for an unreadable input, or one that is not a Kubernetes object. */
export function unreadable(problem: InputProblem): LintIssue {
  return { ...problem, field: '', code: 'unreadable', severity: 'error', refused: false };
}

/** A certain repair. */
export interface Fix {
  /** The action, in the imperative: `write \`==\``. */
  readonly title: string;
  /** The replacements in the source; they do not overlap. */
  readonly edits: readonly TextEdit[];
}

/** The parts of an issue other than its position. */
export type IssueText = Pick<LintIssue, 'code' | 'severity' | 'message' | 'fix'>;

/** An issue about a field of an object, its key, or a part of its text. */
export function issueAt(
  manifest: Manifest,
  at: string | Path,
  text: IssueText,
  part: Part = 'value',
): LintIssue {
  const [field, path] =
    typeof at === 'string' ? [at, parseFieldPath(at)] : [formatFieldPath(at), at];
  return { manifest, ...located(manifest, path, part), field, ...text, refused: false };
}

/**
 * Requires a manifest.
 *
 * @throws TypeError that names the function and the actual value
 */
export function requireManifest(call: string, manifest: Manifest): void {
  requireArgument(call, manifest, { what: 'manifests from readManifests', has: 'object' });
}
