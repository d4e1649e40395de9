import type { CheckedObject } from '@kubeadmit/check';
import { policyReportResult, policyReportSummary, rowsOf } from '@kubeadmit/check/internal';
import { stringifyYaml } from '@kubeadmit/manifest';

/** A result of a report, and the namespace of the object that it is about. */
export interface NamespacedResult {
  readonly namespace: string;
  readonly result: ReturnType<typeof resultsOf>[number];
}

/** What is said of an object, as policy reports have it. */
export function policyResults(object: CheckedObject): readonly NamespacedResult[] {
  return resultsOf(object).map((result) => ({ namespace: object.namespace, result }));
}

/**
 * PolicyReports (wgpolicyk8s.io/v1alpha2, of the Policy Working Group): one for each namespace, and a
 * ClusterPolicyReport for objects without one.
 */
export function policyReports(all: readonly NamespacedResult[]): string {
  const namespaces = new Map<string, NamespacedResult['result'][]>();
  for (const { namespace, result } of all) {
    const own = namespaces.get(namespace);
    if (own === undefined) namespaces.set(namespace, [result]);
    else own.push(result);
  }
  const byName = [...namespaces].sort(([left], [right]) => (left < right ? -1 : 1));
  const reports = byName.map(([namespace, own]) =>
    stringifyYaml({
      apiVersion: 'wgpolicyk8s.io/v1alpha2',
      kind: namespace === '' ? 'ClusterPolicyReport' : 'PolicyReport',
      metadata: { name: 'kubeadmit', ...(namespace === '' ? {} : { namespace }) },
      summary: policyReportSummary(own),
      results: own,
    }),
  );
  return reports.join('---\n');
}

function resultsOf(object: CheckedObject) {
  return rowsOf(object).map((finding) => {
    const { properties, ...result } = policyReportResult(finding, object.operation);
    const own = properties === undefined ? {} : { properties };
    return { ...result, resources: [resourceOf(object)], ...own };
  });
}

function resourceOf({ apiVersion, kind, namespace, name }: CheckedObject) {
  return { apiVersion, kind, name, ...(namespace === '' ? {} : { namespace }) };
}
