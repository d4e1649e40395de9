import { closest, didYouMean, requireText } from '@kubeadmit/go/internal';
import type { Severity } from './issue.ts';

/** A rule of lint. */
export interface LintRule {
  /** The code of issues, in settings and in comments: `unused-variable`. */
  readonly code: string;
  /** The severity of its issues; those of mutations, and of kinds that are not known, depend on what is found. */
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
  refusal('invalid-field', 'a server refuses the value of a field'),
  refusal('expression-error', 'an expression does not compile'),
  refusal('static-manifest', 'a server does not start with a manifest on its disk'),
  rule('foreign-word', 'error', 'a word or sign of another language in an expression'),
  rule('type-warning', 'warning', 'the server warns of the types in an expression'),
  rule('unknown-field', 'error', 'a field that the kind does not have'),
  rule('unknown-resource', 'warning', 'a rule names an unknown resource'),
  rule('unused-variable', 'info', 'no expression uses a variable'),
  rule('unguarded-field', 'warning', 'an expression reads a field that may be absent'),
  rule('null-object', 'warning', 'an expression reads `object` or `oldObject` where it is null'),
  rule('namespace-in-condition', 'warning', 'a match condition reads `namespaceObject`'),
  rule('constant-expression', 'warning', 'an expression, or a part of one, is always the same'),
  rule('shadowed-name', 'warning', 'a variable hides another name'),
  rule('unbounded-cost', 'warning', 'loops within loops over lists without a limit'),
  rule('never-matches', 'warning', 'a rule, a resource in one, or a selector that no request fits'),
  rule('unused-parameters', 'warning', 'no expression reads the parameters'),
  rule(
    'missing-parameters',
    'info',
    'a binding gives no parameters to a policy that has a `paramKind`',
  ),
  rule('stray-parameters', 'warning', 'a binding gives parameters to a policy without `paramKind`'),
  rule('unknown-parameter-kind', 'warning', 'nothing is known about the kind of parameters'),
  rule('policy-without-binding', 'warning', 'a policy has no binding'),
  rule('binding-without-policy', 'error', 'a binding is for a policy that is not there'),
  rule('duplicate-name', 'error', 'two objects have the same name'),
  rule('unknown-kind', 'warning', 'a kind that the server does not know'),
  rule('mutation-refused', 'error', 'a mutation fails when it runs'),
  rule('mutation-invalid-value', 'error', 'a mutation makes an object that the server refuses'),
  rule('mutation-no-effect', 'warning', 'a mutation does nothing, or not what it says'),
  refusal('kyverno-refused', 'Kyverno refuses a policy'),
  rule('kyverno-variable', 'error', 'a variable or a query in a rule of Kyverno is broken'),
  rule('kyverno-expression', 'error', 'an expression in CEL in a rule of Kyverno does not compile'),
  rule('kyverno-ignored', 'error', 'Kyverno ignores a field without a word'),
  rule('kyverno-warning', 'warning', 'Kyverno warns of a policy'),
  rule(
    'kyverno-not-evaluated',
    'warning',
    'a policy or rule of Kyverno that is not evaluated here',
  ),
  rule('expired-exception', 'warning', 'a PolicyException has expired'),
  refusal('invalid-definition', 'a server refuses a CustomResourceDefinition'),
  rule(
    'needs-newer-version',
    'warning',
    'an older version that is to be supported refuses an expression',
  ),
  rule('server-false-alarm', 'info', 'the server warns of a field that is there'),
  rule('unused-ignore', 'warning', 'a comment silences nothing'),
];

const byCode: ReadonlyMap<string, LintRule> = new Map(lintRules.map((each) => [each.code, each]));

/** The rule with a code. */
export function findRule(code: string): LintRule | undefined {
  requireText('findRule', code);
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
