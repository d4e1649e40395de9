import {
  type CheckedObject,
  type Finding,
  type Report,
  rowsOf,
  type Verdict,
} from '@kubeadmit/check';
import { stringifyYaml } from '@kubeadmit/manifest';

const results: Readonly<Record<Verdict, string>> = {
  allow: 'pass',
  mutate: 'pass',
  skip: 'skip',
  audit: 'fail',
  warn: 'warn',
  deny: 'fail',
  error: 'error',
};

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
      summary: summaryOf(own),
      results: own,
    });
  });
  return reports.join('---\n');
}

function resultsOf(object: CheckedObject) {
  return rowsOf(object).map((finding) => ({
    source: 'kubeadmit',
    policy: finding.policy || 'kube-apiserver',
    ...(finding.rule === undefined ? {} : { rule: finding.rule }),
    result: results[finding.verdict],
    ...(finding.message === undefined ? {} : { message: finding.message }),
    scored: finding.verdict !== 'audit',
    resources: [resourceOf(object)],
    ...propertiesOf(finding, object),
  }));
}

function resourceOf({ apiVersion, kind, namespace, name }: CheckedObject) {
  return { apiVersion, kind, name, ...(namespace === '' ? {} : { namespace }) };
}

function propertiesOf({ binding, params }: Finding, { operation }: CheckedObject) {
  const properties = {
    ...(binding === undefined ? {} : { binding }),
    ...(params === undefined ? {} : { params }),
    ...(operation === 'CREATE' ? {} : { operation }),
  };
  return Object.keys(properties).length === 0 ? {} : { properties };
}

function summaryOf(own: readonly { readonly result: string }[]) {
  const count = (wanted: string): number => own.filter(({ result }) => result === wanted).length;
  return {
    pass: count('pass'),
    fail: count('fail'),
    warn: count('warn'),
    error: count('error'),
    skip: count('skip'),
  };
}
