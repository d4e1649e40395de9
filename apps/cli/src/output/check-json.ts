import { countVerdicts, outcomeOf, type Report, rowsOf } from '@kubeadmit/check';
import { stringifyJson } from '@kubeadmit/manifest';
import { version } from '../version.ts';

/** The report of `check -o json`: one document, see the machine interface. */
export function checkJson(report: Report): string {
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
  const document = { version, kubernetesVersion, results, leftOut: left, coverage, summary };
  return `${stringifyJson(document, 2)}\n`;
}
