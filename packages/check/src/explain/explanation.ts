import type { PluginTrace } from '@kubeadmit/admission/unstable-internal';
import type { ExplainedExpression } from '@kubeadmit/chain/expressions';
import type { ChangedValue, ExplainedChange } from '@kubeadmit/chain/findings';
import type { TraceStep } from '@kubeadmit/kyverno/traces';

/** The explanation of the decision on one request, policy by policy. */
export interface Explanation {
  /** The input that the object is from. */
  readonly file: string;
  /** `Kind/name`. */
  readonly resource: string;
  /** How people call the object. */
  readonly title: string;
  /** Absent for an object of the whole cluster. */
  readonly namespace?: string;
  /** The line in which it begins, from 1 on. */
  readonly line: number;
  /** The operation: `CREATE`, `UPDATE`, `DELETE` or `CONNECT`. */
  readonly operation: string;
  /** Whether the server would take it. */
  readonly allowed: boolean;
  /** The message for the client if the request is denied. */
  readonly message?: string;
  /** The result of each policy, in evaluation order. */
  readonly policies: readonly ExplainedPolicy[];
  /** The admission plugins that changed or refused the object or warned, in order; absent if there are none. */
  readonly plugins?: readonly ExplainedPlugin[];
  /** The changes by policies, in the order in which they were made. */
  readonly changes: readonly ExplainedChange[];
}

/** The result of one admission plugin. */
export interface ExplainedPlugin {
  /** The name of the plugin. */
  readonly plugin: string;
  /** 2 where it ran once more because policies or webhooks changed the object. */
  readonly pass?: 2;
  /** Its effect on the request. */
  readonly outcome: PluginTrace['outcome'];
  /** The titles of the objects that caused the result, such as `ResourceQuota shop/compute`. */
  readonly causes: readonly string[];
  /** The refusal. */
  readonly message?: string;
  /** The warnings for the client. */
  readonly warnings?: readonly string[];
  /** The change, as a JSON patch (RFC 6902) with old values. */
  readonly patch?: readonly ChangedValue[];
}

/** The result of one policy. */
export interface ExplainedPolicy {
  /** The kind of the policy. */
  readonly kind: string;
  /** Its name. */
  readonly policy: string;
  /** The file of the policy. */
  readonly file?: string;
  /** The line in which it begins. */
  readonly line?: number;
  /** 2 if it ran once more after changes by others. */
  readonly pass?: 2;
  /**
   * False if it was not evaluated: a server would refuse it, it is not supported, or the request was rejected before.
   */
  readonly asked?: false;
  /** Whether it applies to the request. */
  readonly matched: boolean;
  /** Why it matched or not. */
  readonly reason: string;
  /** The error of its configuration, such as a missing definition of its parameters. */
  readonly message?: string;
  /** Whether the failure policy ignores that error. */
  readonly errorIgnored?: true;
  /** One for each binding of the policy. */
  readonly bindings: readonly ExplainedBinding[];
  /** The results of the rules of a Kyverno policy. */
  readonly rules?: readonly ExplainedRule[];
}

/** The result of a Kyverno rule, or of a CEL policy, which has no rules. */
export interface ExplainedRule {
  /** The name of the rule. */
  readonly rule?: string;
  /** The rule from which Kyverno generated it, for pod controllers. */
  readonly generatedFrom?: string;
  /** Its place in the policy, or that of the rule from which it was generated: `spec.rules[0]`. */
  readonly path?: string;
  /** The line of that place. */
  readonly line?: number;
  /** Whether it matches the request. */
  readonly matched: boolean;
  /** Why it does or not. */
  readonly reason: string;
  /** Absent where it says nothing. */
  readonly verdict?: string;
  /** The message of the verdict. */
  readonly message?: string;
  /** The results of the `match` filters; absent for CEL policies. */
  readonly match?: ExplainedFilters;
  /** Absent where there is no such block, or where `match` had decided. */
  readonly exclude?: ExplainedFilters;
  /** The evaluation steps, in order. */
  readonly steps: readonly ExplainedRuleStep[];
  /** The expressions of a policy in CEL that were evaluated. */
  readonly expressions?: readonly ExplainedExpression[];
}

/** The results of the filters of `match` or `exclude`. */
export interface ExplainedFilters {
  /** Whether they apply to the request together. */
  readonly matches: boolean;
  /** One for each filter. */
  readonly filters: readonly ExplainedFilter[];
}

/** The result of one filter. */
export interface ExplainedFilter {
  /** `match.any[0]`. */
  readonly path: string;
  /** The line of that place. */
  readonly line?: number;
  /** Whether it applies to the request. */
  readonly matches: boolean;
  /** Each part that does not fit, in a sentence. */
  readonly reasons: readonly string[];
}

/** A step in the evaluation of a rule; the members depend on the kind. */
export interface ExplainedRuleStep {
  /** The kind of the step. */
  readonly kind: TraceStep['kind'];
  /** Its place in the policy: `spec.rules[0].preconditions.all[1]`. */
  readonly path?: string;
  /** The line of that place. */
  readonly line?: number;
  /** Of variables the expression in JMESPath, of entries and exceptions their names, of loops the list. */
  readonly name?: string;
  /** The value that was found: of a variable, an entry, an element or a condition, or the value at `at`. */
  readonly value?: unknown;
  /** The error that the step caused. */
  readonly error?: string;
  /** The line of the manifest from which the value is. */
  readonly manifestLine?: number;
  /** The key of a condition. */
  readonly key?: unknown;
  /** The operator of a condition. */
  readonly operator?: string;
  /** Whether conditions hold. */
  readonly result?: boolean;
  /** Of a condition or a filter, whether it decided the result. */
  readonly isDecisive?: boolean;
  /** The result: `pass`, `fail`, `skip` or `error`; for exceptions `applies` or `does not apply`. */
  readonly outcome?: string;
  /** The message of the outcome. */
  readonly message?: string;
  /** The first place of the object that is not as a pattern wants it: `/spec/containers/0/image/`. */
  readonly at?: string;
  /** The part of the pattern that asks for something else. */
  readonly wanted?: unknown;
  /** How many elements a loop has. */
  readonly count?: number;
  /** The changes by a patch, as a JSON patch (RFC 6902) with old values. */
  readonly changes?: readonly ChangedValue[];
  /** The steps that led to this step. */
  readonly steps?: readonly ExplainedRuleStep[];
}

/** The result of one binding. */
export interface ExplainedBinding {
  /** The name of the binding. */
  readonly binding: string;
  /** Whether it applies to the request. */
  readonly matched: boolean;
  /** Why the binding matched or not, if it has match criteria. */
  readonly reason?: string;
  /** The error of its configuration, such as missing parameters. */
  readonly message?: string;
  /** Whether the failure policy ignores that error. */
  readonly errorIgnored?: true;
  /** One for each parameter, or one without. */
  readonly evaluations: readonly ExplainedEvaluation[];
}

/** One evaluation of a policy: with one parameter, or without. */
export interface ExplainedEvaluation {
  /** The parameter, `name` or `namespace/name`. */
  readonly params?: string;
  /** The results, in the order of validations or mutations. */
  readonly outcomes: readonly string[];
  /** The same, part by part. */
  readonly results: readonly ExplainedResult[];
  /** The total cost of its expressions in CEL cost units; `budget` is the limit. */
  readonly cost: number;
  /** The maximum cost of an evaluation. */
  readonly budget: number;
  /** The evaluated expressions, in order. */
  readonly expressions: readonly ExplainedExpression[];
}

/** The result of one validation, condition, mutation or audit annotation. */
export interface ExplainedResult {
  /** Its place in the policy: `spec.validations[0]`. */
  readonly path: string;
  /** The result. */
  readonly outcome:
    | 'holds'
    | 'denied'
    | 'warned'
    | 'audited'
    | 'ignored'
    | 'error'
    | 'excluded'
    | 'changed'
    | 'unchanged'
    | 'published';
  /** The effects of a failed validation or an error, by the actions of the binding; the strongest first. */
  readonly effects?: readonly ('denied' | 'warned' | 'audited')[];
  /** The message for the client. */
  readonly message?: string;
  /** The line of its file. */
  readonly line?: number;
}
