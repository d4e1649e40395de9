import type { PluginTrace } from '@kubeadmit/admission/unstable-internal';
import type { ChangedValue, ExplainedChange } from '@kubeadmit/chain/unstable-internal';
import type { TraceStep } from '@kubeadmit/kyverno/unstable-internal';

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
  readonly plugin: string;
  /** 2 where it ran once more because policies or webhooks changed the object. */
  readonly pass?: 2;
  readonly outcome: PluginTrace['outcome'];
  /** The titles of the objects that caused the result, such as `ResourceQuota shop/compute`. */
  readonly causes: readonly string[];
  /** The refusal. */
  readonly message?: string;
  readonly warnings?: readonly string[];
  /** The change, as a JSON patch (RFC 6902) with old values. */
  readonly patch?: readonly ChangedValue[];
}

/** The result of one policy. */
export interface ExplainedPolicy {
  readonly kind: string;
  readonly policy: string;
  /** The file of the policy. */
  readonly file?: string;
  readonly line?: number;
  /** 2 if it ran once more after changes by others. */
  readonly pass?: 2;
  /**
   * False if it was not evaluated: a server would refuse it, it is not supported, or the request was rejected before.
   */
  readonly asked?: false;
  readonly matched: boolean;
  /** Why it matched or not. */
  readonly reason: string;
  /** The error of its configuration, such as a missing definition of its parameters. */
  readonly message?: string;
  /** Whether the failure policy ignores that error. */
  readonly errorIgnored?: true;
  readonly bindings: readonly ExplainedBinding[];
  /** The results of the rules of a Kyverno policy. */
  readonly rules?: readonly ExplainedRule[];
}

/** The result of a Kyverno rule, or of a CEL policy, which has no rules. */
export interface ExplainedRule {
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
  readonly matches: boolean;
  readonly filters: readonly ExplainedFilter[];
}

/** The result of one filter. */
export interface ExplainedFilter {
  /** `match.any[0]`. */
  readonly path: string;
  readonly line?: number;
  readonly matches: boolean;
  /** Each part that does not fit, in a sentence. */
  readonly reasons: readonly string[];
}

/** A step in the evaluation of a rule; the members depend on the kind. */
export interface ExplainedRuleStep {
  readonly kind: TraceStep['kind'];
  /** Its place in the policy: `spec.rules[0].preconditions.all[1]`. */
  readonly path?: string;
  readonly line?: number;
  /** Of variables the expression in JMESPath, of entries and exceptions their names, of loops the list. */
  readonly name?: string;
  /** The value that was found: of a variable, an entry, an element or a condition, or the value at `at`. */
  readonly value?: unknown;
  readonly error?: string;
  /** The line of the manifest from which the value is. */
  readonly manifestLine?: number;
  /** The key of a condition. */
  readonly key?: unknown;
  readonly operator?: string;
  /** Whether conditions hold. */
  readonly result?: boolean;
  /** Of a condition or a filter, whether it decided the result. */
  readonly isDecisive?: boolean;
  /** The result: `pass`, `fail`, `skip` or `error`; for exceptions `applies` or `does not apply`. */
  readonly outcome?: string;
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
  readonly binding: string;
  readonly matched: boolean;
  /** Why the binding matched or not, if it has match criteria. */
  readonly reason?: string;
  /** The error of its configuration, such as missing parameters. */
  readonly message?: string;
  /** Whether the failure policy ignores that error. */
  readonly errorIgnored?: true;
  readonly evaluations: readonly ExplainedEvaluation[];
}

/** One evaluation of a policy: with one parameter, or without. */
export interface ExplainedEvaluation {
  readonly params?: string;
  /** The results, in the order of validations or mutations. */
  readonly outcomes: readonly string[];
  /** The same, part by part. */
  readonly results: readonly ExplainedResult[];
  /** The total cost of its expressions in CEL cost units; `budget` is the limit. */
  readonly cost: number;
  readonly budget: number;
  readonly expressions: readonly ExplainedExpression[];
}

/** The result of one validation, condition, mutation or audit annotation. */
export interface ExplainedResult {
  /** Its place in the policy: `spec.validations[0]`. */
  readonly path: string;
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
  readonly message?: string;
  /** The line of its file. */
  readonly line?: number;
}

/** One expression that was evaluated. */
export interface ExplainedExpression {
  /** Its place in the policy: `spec.validations[0].expression`. */
  readonly path: string;
  readonly expression: string;
  /** The value as a CEL literal; absent for an error. */
  readonly value?: string;
  readonly error?: string;
  readonly cost: number;
  /** The values of relevant subexpressions, in source order. */
  readonly steps: readonly ExplainedStep[];
  /** The operands of `&&`, `||`, `? :` and `!`, in the order of the text; absent for other expressions. */
  readonly parts?: readonly ExplainedPart[];
}

/** An operand of a choice. */
export interface ExplainedPart {
  readonly expression: string;
  /** Absent where it was not evaluated, since the others had decided. */
  readonly value?: string;
  /** Whether this part decided the result. */
  readonly isDecisive: boolean;
  /** The line of the policy in which it begins. */
  readonly policyLine?: number;
}

/** The value of an expression within another. */
export interface ExplainedStep {
  readonly expression: string;
  readonly value: string;
  /** The line that the value is from, of the manifest or of the parameter. */
  readonly line?: number;
  /** The file of that line, where it is that of the parameter. */
  readonly file?: string;
  /** Which part of a choice it belongs to, by its number there. */
  readonly part?: number;
  /** The evaluated iterations, if the expression is a macro such as `all` or `map`. */
  readonly turns?: readonly ExplainedTurn[];
}

/** A turn of a loop. */
export interface ExplainedTurn {
  /** Which element it was about: `containers[1] "web"`. */
  readonly element: string;
  readonly value: string;
  readonly steps: readonly ExplainedStep[];
  /** As of an expression. */
  readonly parts?: readonly ExplainedPart[];
}
