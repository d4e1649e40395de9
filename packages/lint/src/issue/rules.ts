import { closest, didYouMean } from '@kubeadmit/base';
import type { Severity } from './issue.ts';

/** A rule of lint. */
export interface LintRule {
  /** The code of issues, in settings and in comments: `unused-variable`. */
  readonly code: string;
  /** The severity of its issues; for mutations and unknown kinds it depends on the finding. */
  readonly severity: Severity;
  /** A summary of the findings. */
  readonly summary: string;
  /**
   * Whether it reports rejections by a server, or unreadable inputs: such issues can be neither changed nor
   * silenced.
   */
  readonly isRefusal: boolean;
}

const refusal = (code: string, summary: string): LintRule => ({
  code,
  severity: 'error',
  summary,
  isRefusal: true,
});

const rule = (code: string, severity: Severity, summary: string): LintRule => ({
  code,
  severity,
  summary,
  isRefusal: false,
});

/** Every rule, in the order of the documentation. */
export const lintRules: readonly LintRule[] = [
  refusal('unreadable', 'the input cannot be read'),
  refusal('cannot-be-decoded', 'a field has a value of the wrong type'),
  refusal('invalid-field', 'a field has an invalid value'),
  refusal('expression-error', 'an expression does not compile'),
  refusal('static-manifest', 'a static manifest prevents the server from starting'),
  rule('foreign-word', 'error', 'an expression uses syntax of another language'),
  rule('type-warning', 'warning', 'the type checker of the server reports a warning'),
  rule('unknown-field', 'error', 'a kind does not have the field'),
  rule('unknown-resource', 'warning', 'a rule names an unknown resource'),
  rule('unused-variable', 'info', 'no expression uses a variable'),
  rule('unguarded-field', 'warning', 'an expression reads a field that may be absent'),
  rule('null-object', 'warning', 'an expression reads `object` or `oldObject` where it is null'),
  rule('namespace-in-condition', 'warning', 'a match condition reads `namespaceObject`'),
  rule(
    'constant-expression',
    'warning',
    'an expression, or a part of it, always has the same value',
  ),
  rule('shadowed-name', 'warning', 'a variable hides another name'),
  rule('unbounded-cost', 'warning', 'nested loops iterate over unbounded lists'),
  rule('never-matches', 'warning', 'no request can match a rule, a resource or a selector'),
  rule('unused-parameters', 'warning', 'no expression reads the parameters'),
  rule(
    'missing-parameters',
    'info',
    'a binding has no `paramRef`, but its policy has a `paramKind`',
  ),
  rule(
    'stray-parameters',
    'warning',
    'a binding has a `paramRef`, but its policy has no `paramKind`',
  ),
  rule('unknown-parameter-kind', 'warning', 'the kind of parameters is unknown'),
  rule('policy-without-binding', 'warning', 'a policy has no binding'),
  rule('binding-without-policy', 'error', 'a binding refers to a missing policy'),
  rule('duplicate-name', 'error', 'two objects have the same name'),
  rule('unknown-kind', 'error', 'the server does not know a kind'),
  rule('mutation-refused', 'error', 'a mutation fails when it runs'),
  rule('mutation-invalid-value', 'error', 'a mutation produces an object that the server rejects'),
  rule('mutation-no-effect', 'warning', 'a mutation has no effect, or not the intended one'),
  refusal('kyverno-refused', 'Kyverno rejects a policy'),
  rule('kyverno-variable', 'error', 'a variable or query in a Kyverno rule is invalid'),
  rule('kyverno-condition', 'warning', 'a condition in a Kyverno rule is never true'),
  rule('kyverno-expression', 'error', 'a CEL expression in a Kyverno rule does not compile'),
  rule('kyverno-ignored', 'error', 'Kyverno silently ignores a field'),
  rule('kyverno-warning', 'warning', 'Kyverno reports a warning about a policy'),
  rule('kyverno-deprecated', 'warning', 'Kyverno deprecates a kind; reported once per run'),
  rule('kyverno-not-evaluated', 'warning', 'a Kyverno policy or rule is not evaluated'),
  rule('cleanup-label', 'warning', 'a label `cleanup.kyverno.io/ttl` has an invalid value'),
  rule('expired-exception', 'warning', 'a PolicyException has expired'),
  refusal('invalid-definition', 'a server rejects a CustomResourceDefinition'),
  rule('needs-newer-version', 'warning', 'the oldest supported version rejects an expression'),
  rule('server-false-alarm', 'info', 'the server reports an existing field as undefined'),
  rule('unused-ignore', 'warning', 'a comment has no effect'),
];

const byCode: ReadonlyMap<string, LintRule> = new Map(lintRules.map((each) => [each.code, each]));

/** The rule with a code. */
export function findRule(code: string): LintRule | undefined {
  return byCode.get(code);
}

/** Returns the likely rule code in the place of an unknown one. */
export function nearestRule(code: string): string | undefined {
  return closest(code, byCode.keys());
}

/** The error text for an unknown rule: the one that may be meant, else all of them. */
export function noRuleText(code: string): string {
  const meant = nearestRule(code);
  if (meant !== undefined) return `unknown lint rule \`${code}\`${didYouMean(meant)}`;
  return `unknown lint rule \`${code}\`; expected one of ${[...byCode.keys()].join(', ')}`;
}
