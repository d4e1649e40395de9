import type { Verdict } from '@kubeadmit/chain';
import type { RuleConversion } from '@kubeadmit/convert';
import type { Range, TextEdit } from '@kubeadmit/language';

/** The input of the worker: the files, the request and the server versions. */
export interface Setting {
  readonly files: Readonly<Record<string, string>>;
  readonly request: RequestSetting;
  /** Minor versions such as `1.36`; each gives a judgement. */
  readonly kubernetesVersions: readonly string[];
}

/** How the objects of the files come to the server. */
export interface RequestSetting {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly user: string;
  readonly groups: readonly string[];
  /** Where objects go that name no namespace. */
  readonly namespace: string;
  readonly subresource: string;
  readonly dryRun: boolean;
  /** The file with the objects as they were before an update. */
  readonly oldObjects: string;
}

/** The results for the files. */
export interface Judgement {
  readonly problems: readonly Problem[];
  readonly objects: readonly JudgedObject[];
  readonly expressions: readonly EvaluatedFile[];
  readonly policies: number;
  /** How many policies there are that Kubernetes' own can take the place of. */
  readonly convertible: number;
  /** How long the worker took, in milliseconds. */
  readonly milliseconds: number;
}

/** A problem in a file with its position; lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  /** The rule of lint that found it. */
  readonly code?: string;
  /** Where it begins and ends, as the language service counts: from 0. */
  readonly range?: Range;
  /** Changes that certainly fix the problem. */
  readonly fixes?: readonly ProblemFix[];
}

/** A change that mends a problem. */
export interface ProblemFix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** One verdict with where it is from. */
export interface Finding {
  /** Empty for the finding of an admission plugin. */
  readonly policy: string;
  /** The admission plugin that refused or warned; absent for policies. */
  readonly plugin?: string;
  readonly binding?: string;
  /** The rule of a Kyverno policy. */
  readonly rule?: string;
  readonly params?: string;
  readonly verdict: Verdict;
  readonly message?: string;
}

/** The result for one object. */
export interface JudgedObject {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly operation: string;
  readonly outcome:
    | 'denied'
    | 'failed'
    | 'warned'
    | 'audited'
    | 'errorIgnored'
    | 'changed'
    | 'allowed'
    | 'unmatched';
  /** The message that kube-apiserver sends to the client of a rejected request. */
  readonly message?: string;
  readonly findings: readonly Finding[];
  readonly changes: readonly Change[];
}

/** The change made by one mutation, as YAML before and after. */
export interface Change {
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

/** The result of one policy with the reason. */
export interface ExplainedPolicy {
  readonly kind: string;
  readonly policy: string;
  readonly matched: boolean;
  readonly reason: string;
  readonly bindings: readonly ExplainedBinding[];
}

/** The result of one binding. */
export interface ExplainedBinding {
  readonly binding: string;
  readonly matched: boolean;
  readonly reason?: string;
  readonly evaluations: readonly ExplainedEvaluation[];
}

/** One evaluation of a policy: with one parameter, or without. */
export interface ExplainedEvaluation {
  readonly params?: string;
  readonly outcomes: readonly string[];
  readonly expressions: readonly ExplainedExpression[];
}

/** One expression that was evaluated, with the values of its parts. */
export interface ExplainedExpression {
  /** Its place in the policy: `spec.validations[0].expression`. */
  readonly path: string;
  /** Where it begins, where that is known. */
  readonly file?: string;
  readonly line?: number;
  readonly expression: string;
  readonly value?: string;
  readonly error?: string;
  readonly cost: number;
  readonly steps: readonly { readonly expression: string; readonly value: string }[];
}

/** The result of a file that contains one CEL expression. */
export interface EvaluatedFile {
  readonly file: string;
  readonly result?: string;
  readonly type?: string;
  readonly error?: string;
  readonly cost?: number;
}

/** The result of converting the Kyverno policies in the files. */
export interface ConvertedFiles {
  /** Policies and bindings, as YAML. */
  readonly text: string;
  /** All files, with the results in place of the policies that were converted in full. */
  readonly files: Readonly<Record<string, string>>;
  readonly rules: readonly ConvertedRule[];
  readonly compared: readonly ComparedObject[];
}

/** The result of converting one rule, with the position of its policy. */
export interface ConvertedRule extends RuleConversion {
  readonly file: string;
  readonly line: number;
  /** The page of `reference/conversion` about the construct that the rule uses. */
  readonly page: string;
  /** The size in bytes of an object for which the result uses half of a limit of CEL's costs or more. */
  readonly costlyAt?: number;
}

/** The results for one object before and after the conversion. */
export interface ComparedObject
  extends Pick<JudgedObject, 'kind' | 'namespace' | 'name' | 'file' | 'line'> {
  readonly before: JudgedObject['outcome'];
  readonly after: JudgedObject['outcome'];
}

/** The comparison of a rule with its result on generated requests. */
export interface RuleProof {
  /** The status of the rule, which a difference turns into `partial`. */
  readonly rule: RuleConversion;
  /** Absent if there is nothing to compare, such as a rule that was not converted. */
  readonly compared?: {
    /** The number of requests that both sides evaluated. */
    readonly requests: number;
    /** The number of differences, at most three. */
    readonly differences: number;
    /** Whether the rule denied, reported or changed at least one of them. */
    readonly isDecisive: boolean;
  };
}
