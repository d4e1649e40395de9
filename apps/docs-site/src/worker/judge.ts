import { type Chain, type Passage, readRequest } from '@kubeadmit/chain';
import type { Change } from '@kubeadmit/chain/findings';
import { objectNamespace } from '@kubeadmit/chain/requests';
import {
  assumedNamespaceTexts,
  failedPassage,
  NamespaceAssumptions,
  readAndPass,
} from '@kubeadmit/chain/unstable-internal';
import type { PreparedRequest } from '@kubeadmit/check';
import { CoverageRecorder } from '@kubeadmit/check/unstable-internal';
import { isConvertible } from '@kubeadmit/convert';
import { sortMembers } from '@kubeadmit/go';
import { refusalProblems } from '@kubeadmit/lint/inputs';
import { type Manifest, stringifyYaml } from '@kubeadmit/manifest';
import { evaluateFiles } from './expressions.ts';
import type {
  JudgedObject,
  Judgement,
  Problem,
  Setting,
  Change as ShownChange,
} from './judgement.ts';
import { prepareFiles } from './prepare.ts';
import { shownProblem } from './read-files.ts';

/** Evaluates the policies of the files for the objects in them, once for each version. */
export async function judge({ kubernetesVersions, ...setting }: Setting): Promise<Judgement[]> {
  const judgements: Judgement[] = [];
  for (const version of kubernetesVersions) judgements.push(await judgeIn(version, setting));
  return judgements;
}

async function judgeIn(
  kubernetesVersion: string,
  setting: Omit<Setting, 'kubernetesVersions'>,
): Promise<Judgement> {
  const start = performance.now();
  const { read, problems, check, chain } = await prepareFiles(kubernetesVersion, setting);
  const evaluated = evaluateFiles(read, kubernetesVersion);
  const objects =
    check === undefined || chain === undefined ? [] : judgeObjects(chain, check.requests);
  return {
    problems: [
      ...problems,
      ...(chain === undefined ? [] : refusals(chain, check?.held ?? [])),
      ...(chain === undefined ? [] : assumptions(chain, check?.requests ?? [])),
      ...evaluated.problems,
    ],
    objects,
    expressions: evaluated.expressions,
    policies: (check?.inputs.policies.length ?? 0) + (check?.inputs.kyverno.length ?? 0),
    convertible: read.given.filter(({ manifest }) => isConvertible(manifest.object)).length,
    milliseconds: performance.now() - start,
  };
}

/** Returns the objects that kube-apiserver would reject, each with its position. */
function refusals({ cluster }: Chain, held: readonly Manifest[]): Problem[] {
  return cluster.errors.flatMap((refusal) => {
    const manifest = held.find(({ kind, name }) => `${kind}/${name}` === refusal.resource);
    const found =
      manifest === undefined
        ? [{ file: refusal.resource, message: refusal.message }]
        : refusalProblems(manifest, refusal);
    return found.map((problem) => shownProblem(problem, 'error'));
  });
}

/** Returns the assumptions about missing namespaces, once each, at the first object whose result depends on it. */
function assumptions(chain: Chain, requests: readonly PreparedRequest[]): Problem[] {
  const native = new NamespaceAssumptions(chain);
  const kyverno = chain.kyverno?.assumptions;
  if (native.isEmpty && (kyverno?.isEmpty ?? true)) return [];
  const found = new Map<string, Problem>();
  for (const { manifest, request, isOfClient, refusal } of requests) {
    const read =
      refusal === undefined ? readRequest(chain, request, { isOfClient }) : { failure: refusal };
    if ('failure' in read) continue;
    const assumed = [...native.about(read.prepared), ...(kyverno?.about(request) ?? [])];
    for (const message of assumedNamespaceTexts(assumed)) {
      const { file, line } = manifest;
      if (!found.has(message)) found.set(message, { file, severity: 'warning', message, line });
    }
  }
  return [...found.values()];
}

function judgeObjects(chain: Chain, requests: readonly PreparedRequest[]): JudgedObject[] {
  const recorder = new CoverageRecorder(chain);
  return requests.map((prepared) => {
    const { request, isOfClient, refusal } = prepared;
    const seen =
      refusal === undefined
        ? recorder.observe(() => readAndPass(chain, request, { isOfClient }))
        : { passage: failedPassage(refusal) };
    const { passage } = seen;
    const silent = recorder.record(request, seen);
    if (request.dryRun !== true) chain.plugins?.store(passage.pluginWrites);
    const isSilent = passage.failure === undefined && passage.findings.length === 0;
    return judgedObject(prepared, isSilent ? { ...passage, findings: silent } : passage);
  });
}

function judgedObject({ manifest, request }: PreparedRequest, passage: Passage): JudgedObject {
  const message = passage.failure ?? passage.message;
  return {
    file: manifest.file,
    line: manifest.line,
    kind: String(request.kind?.kind ?? manifest.kind),
    namespace: objectNamespace(request),
    name: String(request.name ?? manifest.name),
    operation: String(request.operation ?? ''),
    outcome: outcomeOf(passage),
    ...(message === undefined ? {} : { message }),
    findings: passage.findings,
    changes: passage.changes.map(shownChange),
  };
}

function outcomeOf({ failure, allowed, findings, patch }: Passage): JudgedObject['outcome'] {
  if (failure !== undefined) return 'failed';
  if (!allowed) return 'denied';
  const verdicts = new Set(findings.map(({ verdict }) => verdict));
  if (verdicts.has('warn') || verdicts.has('error')) return 'warned';
  if (verdicts.has('audit')) return 'audited';
  if (verdicts.has('ignore')) return 'errorIgnored';
  if (patch.length > 0) return 'changed';
  return (['allow', 'mutate', 'generate', 'delete'] as const).some((one) => verdicts.has(one))
    ? 'allowed'
    : 'unmatched';
}

function shownChange({ before, after, ...change }: Change): ShownChange {
  return {
    title: changeTitle(change),
    before: sortedYaml(before),
    after: sortedYaml(after),
  };
}

// A mutation may return the members of an object in another order without changing the object.
function sortedYaml(value: unknown): string {
  return stringifyYaml(sortMembers(value) as never);
}

function changeTitle({
  policy,
  plugin,
  causes = [],
  binding,
  rule,
  params,
  mutation,
  pass,
}: Omit<Change, 'before' | 'after'>): string {
  const parts = [
    ...causes,
    ...(mutation === undefined ? [] : [`spec.mutations[${mutation}]`]),
    ...(rule === undefined ? [] : [`rule ${rule}`]),
    ...(binding === undefined || binding === policy ? [] : [`binding ${binding}`]),
    ...(params === undefined ? [] : [`parameters ${params}`]),
    ...(pass === 2 ? ['second pass'] : []),
  ];
  const maker = plugin === undefined ? policy : `Admission plugin ${plugin}`;
  return parts.length === 0 ? maker : `${maker}: ${parts.join(', ')}`;
}
