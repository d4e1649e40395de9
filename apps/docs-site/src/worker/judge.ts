import { admit, loadCluster } from '@kubeadmit/admission';
import {
  isKnown,
  isReview,
  refusalProblems,
  schemasOf,
  sortInputs,
  unknownKinds,
} from '@kubeadmit/lint';
import type { Manifest } from '@kubeadmit/manifest';
import { findResourceOfKind, type Schemas } from '@kubeadmit/schemas';
import { evaluateFiles } from './expressions.ts';
import type { JudgedObject, Judgement, RequestSetting, Setting } from './judgement.ts';
import { readFiles, shownProblem } from './read-files.ts';

/** Says what the policies of the files make of the objects in them, once for each version. */
export function judge({ kubernetesVersions, ...setting }: Setting): Promise<Judgement[]> {
  return Promise.all(kubernetesVersions.map((version) => judgeIn(version, setting)));
}

async function judgeIn(
  kubernetesVersion: string,
  { files, request }: Omit<Setting, 'kubernetesVersions'>,
): Promise<Judgement> {
  const start = performance.now();
  const read = readFiles(files);
  const inputs = sortInputs(read.given);
  const schemas = await schemasOf(inputs, kubernetesVersion);
  const held = [...inputs.policies, ...inputs.bindings, ...inputs.context];
  const cluster = loadCluster({
    resources: held.map(({ object }) => object),
    schemas,
    kubernetesVersion,
    onErrors: 'report',
  });
  const refusals = cluster.errors.flatMap((refusal) => {
    const manifest = held.find(({ kind, name }) => `${kind}/${name}` === refusal.resource);
    return manifest === undefined
      ? [{ file: refusal.resource, message: refusal.message }]
      : refusalProblems(manifest, refusal);
  });
  const evaluated = evaluateFiles(read, kubernetesVersion);
  const subjects = inputs.subjects.filter(({ file }) => file !== request.oldObjects);
  const objects = subjects
    .filter((manifest) => isKnown(manifest, schemas))
    .map((manifest): JudgedObject => {
      const given = requestOf(manifest, schemas, request);
      const outcome = admit(cluster, given);
      const about = {
        file: manifest.file,
        line: manifest.line,
        kind: manifest.kind,
        namespace: manifest.namespace,
        name: manifest.name,
        operation: String(given['operation']),
        findings: [],
        changes: [],
        policies: [],
      };
      if (outcome.failure !== undefined) {
        return { ...about, outcome: 'failed', message: outcome.failure, warnings: [] };
      }
      const { allowed, status, warnings = [] } = outcome.response;
      const message = status?.message === undefined ? {} : { message: status.message };
      return { ...about, outcome: allowed ? 'allowed' : 'denied', ...message, warnings };
    });
  return {
    problems: [
      ...[...read.problems, ...refusals, ...unknownKinds({ ...inputs, subjects }, schemas)].map(
        (problem) => shownProblem(problem, 'error'),
      ),
      ...evaluated.problems,
    ],
    objects,
    expressions: evaluated.expressions,
    policies: inputs.policies.length,
    milliseconds: performance.now() - start,
  };
}

function requestOf(
  manifest: Manifest,
  schemas: Schemas,
  setting: RequestSetting,
): Record<string, unknown> {
  if (isReview(manifest)) {
    return manifest.object['request'] as Record<string, unknown>;
  }
  const { group, version, kind } = manifest;
  const known = findResourceOfKind(schemas, { group, version, kind });
  const namespace = (known?.namespaced ?? true) ? manifest.namespace || setting.namespace : '';
  return {
    uid: '00000000-0000-4000-8000-000000000001',
    kind: { group, version, kind },
    resource: { group, version, resource: known?.resource ?? `${kind.toLowerCase()}s` },
    name: manifest.name,
    namespace,
    operation: setting.operation,
    userInfo: { username: setting.user, groups: setting.groups },
    object: manifest.object,
    oldObject: null,
    dryRun: setting.dryRun,
  };
}
