import type { CheckedObject } from '@kubeadmit/check';
import {
  type PolicyReportSummary,
  policyReportResult,
  policyReportSummary,
  rowsOf,
} from '@kubeadmit/check/internal';
import { stringifyYaml } from '@kubeadmit/manifest';
import { addCounts } from '../counts.ts';
import { HeldTexts } from '../held-texts.ts';

/** Results about objects of one namespace, as the list of a report has them. */
export interface NamespaceResults {
  /** Empty for objects without one. */
  readonly namespace: string;
  readonly summary: PolicyReportSummary;
  readonly results: string;
}

/** What is said of objects, by their namespaces. */
export function namespaceResults(objects: readonly CheckedObject[]): readonly NamespaceResults[] {
  const namespaces = new Map<string, ReturnType<typeof resultsOf>>();
  for (const object of objects) {
    const own = namespaces.get(object.namespace);
    if (own === undefined) namespaces.set(object.namespace, resultsOf(object));
    else own.push(...resultsOf(object));
  }
  return [...namespaces].map(([namespace, results]) => ({
    namespace,
    summary: policyReportSummary(results),
    results: stringifyYaml({ results }).slice('results:\n'.length),
  }));
}

/**
 * PolicyReports (wgpolicyk8s.io/v1alpha2, of the Policy Working Group): one for each namespace, and a
 * ClusterPolicyReport for objects without one.
 */
export class PolicyReports {
  readonly #summaries = new Map<string, Record<keyof PolicyReportSummary, number>>();
  readonly #results = new HeldTexts();

  /** Takes more results. */
  add({ namespace, summary, results }: NamespaceResults): void {
    const before = this.#summaries.get(namespace);
    if (before === undefined) this.#summaries.set(namespace, { ...summary });
    else addCounts(before, summary);
    this.#results.hold(namespace, results);
  }

  /** The reports, by the names of their namespaces. */
  *end(): Generator<string> {
    const byName = [...this.#summaries].sort(([left], [right]) => (left < right ? -1 : 1));
    for (const [index, [namespace, summary]] of byName.entries()) {
      const head = stringifyYaml({
        apiVersion: 'wgpolicyk8s.io/v1alpha2',
        kind: namespace === '' ? 'ClusterPolicyReport' : 'PolicyReport',
        metadata: { name: 'kubeadmit', ...(namespace === '' ? {} : { namespace }) },
        summary,
      });
      yield `${index === 0 ? '' : '---\n'}${head}results:\n`;
      yield* this.#results.take(namespace);
    }
  }
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
