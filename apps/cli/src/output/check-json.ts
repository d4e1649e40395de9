import { countVerdicts, type Report, rowsOf } from '@kubeadmit/check';
import { stringifyJson } from '@kubeadmit/manifest';
import { version } from '../version.ts';

/** The report of `check -o json`: one document, see the machine interface. */
export function checkJson(report: Report): string {
  const { objects, policies, bindings, kubernetesVersion } = report;
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
      line: object.line,
    })),
  );
  const denied = objects.filter(({ allowed }) => !allowed).length;
  const summary = {
    resources: objects.length,
    denied,
    policies,
    bindings,
    ...countVerdicts(objects),
  };
  return `${stringifyJson({ version, kubernetesVersion, results, summary }, 2)}\n`;
}
