import { type KubernetesObject, member, memberText } from '@kubeadmit/apimachinery';
import { defined } from '@kubeadmit/base';
import type { Response } from '@kubeadmit/chain/kyverno-resources';
import type { Generation } from '../policies/generation.ts';
import { kyvernoPolicyOf } from '../policies/kyverno-policy.ts';
import type { ReportEntry } from './report-entries.ts';

type Result = Response['results'][number];

const severities: readonly string[] = ['critical', 'high', 'medium', 'low', 'info'];

/**
 * Returns the results of Kyverno's policies as entries of a report, as Kyverno writes them (`ToPolicyReportResult`). Policies
 * with the label `reports.kyverno.io/disabled` are not reported.
 */
export function kyvernoEntries(
  responses: readonly Response[],
  generation: Generation,
  now: number,
): readonly ReportEntry[] {
  const timestamp = { seconds: Math.floor(now / 1000), nanos: 0 };
  const entries = responses.flatMap((response) => {
    const policy = kyvernoPolicyOf(generation, response);
    if (isUnreported(policy)) return [];
    return response.results.map((result) => ({ ...entryOf(response, result, policy), timestamp }));
  });
  return entries.sort((a, b) => compare(a.policy, b.policy) || compare(a.rule ?? '', b.rule ?? ''));
}

function entryOf(
  response: Response,
  result: Result,
  policy: KubernetesObject | undefined,
): Omit<ReportEntry, 'timestamp'> {
  const { namespace, policy: name, kind } = response;
  const { rule, message } = result;
  const scored = annotation(policy, 'scored') !== 'false';
  const severity = annotation(policy, 'severity');
  return {
    source: kind === 'ClusterPolicy' || kind === 'Policy' ? 'kyverno' : celSource(kind),
    policy: namespace === '' ? name : `${namespace}/${name}`,
    ...(rule === '' ? {} : { rule }),
    result: resultOf(result, scored),
    ...(message === '' ? {} : { message }),
    scored,
    ...defined({
      category: annotation(policy, 'category'),
      severity: severities.includes(severity ?? '') ? severity : undefined,
    }),
    properties: propertiesOf(kind, result, policy),
  };
}

function celSource(kind: string): string {
  return `Kyverno${kind.replace(/^Namespaced/, '')}`;
}

function resultOf({ status }: Result, scored: boolean): ReportEntry['result'] {
  if (status === 'warning' || (status === 'fail' && !scored)) return 'warn';
  return status;
}

function propertiesOf(
  kind: string,
  { properties, exceptions = [] }: Result,
  policy: KubernetesObject | undefined,
): Readonly<Record<string, string>> {
  const names = exceptions.map((key) => key.slice(key.indexOf('/') + 1));
  return {
    ...properties,
    process: processOf(kind, policy),
    ...(names.length === 0 ? {} : { exceptions: names.join(',') }),
  };
}

/** Which part of Kyverno keeps the results of a policy up to date. */
function processOf(kind: string, policy: KubernetesObject | undefined): string {
  const spec = member(policy, 'spec');
  const evaluation = member(spec, 'evaluation');
  const isClassic = kind === 'ClusterPolicy' || kind === 'Policy';
  const background = isClassic
    ? member(spec, 'background')
    : member(member(evaluation, 'background'), 'enabled');
  return background === false ? 'admission review' : 'background scan';
}

function annotation(policy: KubernetesObject | undefined, name: string): string | undefined {
  const annotations = member(member(policy, 'metadata'), 'annotations');
  return memberText(annotations, `policies.kyverno.io/${name}`) || undefined;
}

function isUnreported(policy: KubernetesObject | undefined): boolean {
  const labels = member(member(policy, 'metadata'), 'labels');
  return member(labels, 'reports.kyverno.io/disabled') !== undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
