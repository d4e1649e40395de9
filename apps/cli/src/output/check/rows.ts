import { type CheckedObject, rowsOf } from '@kubeadmit/check';
import { leftOutRow } from '../left-out.ts';
import type { CheckSummary } from './tally.ts';

/** The rows of `check -o json` about an object, see the machine interface. */
export function resultRows(object: CheckedObject): readonly Readonly<Record<string, unknown>>[] {
  return rowsOf(object).map(
    ({ policy, plugin, binding, params, rule, verdict, actions, message, reason }) => ({
      file: object.file,
      resource: `${object.kind}/${object.name}`,
      namespace: object.namespace === '' ? undefined : object.namespace,
      operation: object.operation === 'CREATE' ? undefined : object.operation,
      policy,
      plugin,
      binding,
      params,
      rule,
      // The machine interface has no separate verdict for an error without effect.
      verdict: verdict === 'ignore' ? 'skip' : verdict,
      errorIgnored: verdict === 'ignore' ? true : undefined,
      actions,
      message,
      reason,
      line: object.place?.line ?? object.line,
      column: object.place?.column,
    }),
  );
}

/**
 * Whether an audit annotation says something about a pod: PodSecurity annotates each one, also if its namespace enforces no
 * level.
 */
function isTold([key, value]: readonly [string, string]): boolean {
  return key !== 'pod-security.kubernetes.io/enforce-policy' || !value.startsWith('privileged:');
}

/** Returns the audit annotations of an object, as in `check -o json`. */
export function annotationRows(
  object: CheckedObject,
): readonly Readonly<Record<string, unknown>>[] {
  return Object.entries(object.auditAnnotations)
    .filter(isTold)
    .map(([key, value]) => ({
      file: object.file,
      resource: `${object.kind}/${object.name}`,
      key,
      value,
    }));
}

/** Returns the members after the lists in the document of `check -o json`. */
export function documentEnd({
  leftOut,
  skipped,
  coverage,
  policies,
  bindings,
  tally,
}: CheckSummary): Readonly<Record<string, unknown>> {
  return {
    leftOut: leftOut.map(leftOutRow),
    ...(skipped.length === 0 ? {} : { skipped: skipped.map(leftOutRow) }),
    coverage,
    summary: {
      resources: tally.objects,
      denied: tally.denied,
      invalid: tally.outcomes.invalid,
      policies,
      bindings,
      ...tally.verdicts,
      // Rows with this verdict, those of ignored errors among them.
      skip: tally.verdicts.skip + tally.verdicts.ignore,
    },
  };
}
