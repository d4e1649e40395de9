import type { CheckedObject } from '@kubeadmit/check';
import {
  type PolicyReportSummary,
  policyReportResult,
  policyReportSummary,
  rowsOf,
} from '@kubeadmit/check/internal';
import { getOrMake, groupBy } from '@kubeadmit/go/internal';
import { type InputProblem, stringifyYaml } from '@kubeadmit/manifest';
import type { ReportStream, TimedObject } from '../check/stream.ts';
import type { CheckSummary } from '../check/tally.ts';
import { addCounts } from '../counts.ts';
import { HeldTexts } from '../held-texts.ts';
import { yamlItems } from '../yaml-without-commands.ts';

/** Results about objects of one namespace, as the list of a report has them. */
interface NamespaceResults {
  /** Empty for objects without one. */
  readonly namespace: string;
  readonly summary: PolicyReportSummary;
  readonly results: string;
}

/**
 * PolicyReports (wgpolicyk8s.io/v1alpha2, of the Policy Working Group): one for each namespace, and a
 * ClusterPolicyReport for objects without one.
 */
export class PolicyReports implements ReportStream<readonly NamespaceResults[]> {
  readonly #summaries = new Map<string, Record<keyof PolicyReportSummary, number>>();
  readonly #results = new HeldTexts();

  part(objects: readonly TimedObject[]): readonly NamespaceResults[] {
    const namespaces = groupBy(objects, ({ object }) => object.namespace);
    return [...namespaces].map(([namespace, own]) => {
      const results = own.flatMap(({ object }) => resultsOf(object));
      return {
        namespace,
        summary: policyReportSummary(results),
        results: yamlItems(results),
      };
    });
  }

  add(part: readonly NamespaceResults[]): readonly string[] {
    for (const { namespace, summary, results } of part) {
      const counts = getOrMake(this.#summaries, namespace, () => ({ ...policyReportSummary([]) }));
      addCounts(counts, summary);
      this.#results.hold(namespace, results);
    }
    return [];
  }

  /** The reports, by the names of their namespaces; skipped manifests are results of the cluster's report. */
  *end({ skipped }: Pick<CheckSummary, 'skipped'>): Generator<string> {
    if (skipped.length > 0) {
      const results = skipped.map(skippedResult);
      const summary = policyReportSummary(results);
      this.add([{ namespace: '', summary, results: yamlItems(results) }]);
    }
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

function skippedResult({ file, message }: InputProblem) {
  const result = 'skip' as const;
  return {
    source: 'kubeadmit',
    policy: 'skipped',
    result,
    message,
    scored: false,
    properties: { file },
  };
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
