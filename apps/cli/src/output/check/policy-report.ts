import { getOrMake, groupBy } from '@kubeadmit/base';
import {
  type PolicyReportSummary,
  policyReportResult,
  policyReportSummary,
} from '@kubeadmit/chain/findings';
import { type CheckedObject, rowsOf } from '@kubeadmit/check';
import { type InputProblem, stringifyYaml } from '@kubeadmit/manifest';
import { addCounts } from '../counts.ts';
import { HeldTexts } from '../held-texts.ts';
import { yamlItems } from '../yaml-without-commands.ts';
import type { ReportStream, TimedObject } from './stream.ts';
import type { CheckSummary } from './tally.ts';

/**
 * PolicyReports (wgpolicyk8s.io/v1alpha2, of the Policy Working Group): one for each namespace, and a
 * ClusterPolicyReport for objects without one.
 */
export class PolicyReports implements ReportStream {
  readonly #summaries = new Map<string, Record<keyof PolicyReportSummary, number>>();
  readonly #results = new HeldTexts();

  add(objects: readonly TimedObject[]): readonly string[] {
    for (const [namespace, own] of groupBy(objects, ({ object }) => object.namespace)) {
      this.#addResults(
        namespace,
        own.flatMap(({ object }) => resultsOf(object)),
      );
    }
    return [];
  }

  #addResults(
    namespace: string,
    results: readonly { readonly result: keyof PolicyReportSummary }[],
  ): void {
    const counts = getOrMake(this.#summaries, namespace, () => ({ ...policyReportSummary([]) }));
    addCounts(counts, policyReportSummary(results));
    this.#results.hold(namespace, yamlItems(results));
  }

  /** The reports, by the names of their namespaces; skipped manifests are results of the cluster's report. */
  *end({ skipped }: Pick<CheckSummary, 'skipped'>): Generator<string> {
    if (skipped.length > 0) this.#addResults('', skipped.map(skippedResult));
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
