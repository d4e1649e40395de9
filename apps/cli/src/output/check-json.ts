import type { Report } from '@kubeadmit/check';
import { countVerdicts, outcomeOf, rowsOf } from '@kubeadmit/check/internal';
import { version } from '../version.ts';

/** The document of `check -o json`, see the machine interface. */
export interface CheckDocument extends Readonly<Record<string, unknown>> {
  readonly results: readonly unknown[];
}

/** Makes the document of `check -o json`. */
export function checkDocument(report: Report): CheckDocument {
  const { objects, policies, bindings, kubernetesVersion, leftOut, coverage } = report;
  const results = objects.flatMap((object) =>
    rowsOf(object).map(({ policy, binding, params, rule, verdict, message, reason }) => ({
      file: object.file,
      resource: `${object.kind}/${object.name}`,
      namespace: object.namespace === '' ? undefined : object.namespace,
      operation: object.operation === 'CREATE' ? undefined : object.operation,
      policy,
      binding,
      params,
      rule,
      verdict,
      message,
      reason,
      line: object.place?.line ?? object.line,
      column: object.place?.column,
    })),
  );
  const denied = objects.filter(({ allowed }) => !allowed).length;
  const summary = {
    resources: objects.length,
    denied,
    invalid: objects.filter((object) => outcomeOf(object) === 'invalid').length,
    policies,
    bindings,
    ...countVerdicts(objects),
  };
  const left = leftOut.map(({ file, place, message }) => ({
    file,
    line: place?.line,
    column: place?.column,
    message,
  }));
  const auditAnnotations = objects.flatMap((object) =>
    Object.entries(object.auditAnnotations).map(([key, value]) => ({
      file: object.file,
      resource: `${object.kind}/${object.name}`,
      key,
      value,
    })),
  );
  return {
    version,
    kubernetesVersion,
    results,
    auditAnnotations: auditAnnotations.length === 0 ? undefined : auditAnnotations,
    leftOut: left,
    coverage,
    summary,
  };
}
