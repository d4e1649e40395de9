import type { CheckedObject, Report } from '@kubeadmit/check';
import { policyReportResult, policyReportSummary, rowsOf } from '@kubeadmit/check/internal';
import { stringifyYaml } from '@kubeadmit/manifest';

/**
 * PolicyReports (wgpolicyk8s.io/v1alpha2, of the Policy Working Group): one for each namespace, and a
 * ClusterPolicyReport for objects without one.
 */
export function policyReportFormat({ objects }: Report): string {
  const namespaces = [...new Set(objects.map(({ namespace }) => namespace))].sort();
  const reports = namespaces.map((namespace) => {
    const own = objects.filter((object) => object.namespace === namespace).flatMap(resultsOf);
    return stringifyYaml({
      apiVersion: 'wgpolicyk8s.io/v1alpha2',
      kind: namespace === '' ? 'ClusterPolicyReport' : 'PolicyReport',
      metadata: { name: 'kubeadmit', ...(namespace === '' ? {} : { namespace }) },
      summary: policyReportSummary(own),
      results: own,
    });
  });
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
