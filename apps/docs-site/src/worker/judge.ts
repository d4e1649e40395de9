import { admit, loadCluster } from '@kubeadmit/admission';
import { type Manifest, readManifests, Source } from '@kubeadmit/manifest';
import { findResourceOfKind, loadSchemas, type Schemas, withDefinitions } from '@kubeadmit/schemas';
import type { JudgedObject, Judgement, Problem, RequestSetting, Setting } from './judgement.ts';

const held = new Set(['Namespace', 'CustomResourceDefinition']);

/** Says what the policies of the files make of the objects in them. */
export function judge({ kubernetesVersions, ...setting }: Setting): Promise<Judgement[]> {
  return Promise.all(kubernetesVersions.map((version) => judgeIn(version, setting)));
}

async function judgeIn(
  kubernetesVersion: string,
  { files, request }: Omit<Setting, 'kubernetesVersions'>,
): Promise<Judgement> {
  const start = performance.now();
  const problems: Problem[] = [];
  const manifests: Manifest[] = [];
  for (const [name, text] of Object.entries(files)) {
    const found = readManifests(new Source(name, text));
    manifests.push(...found.manifests);
    problems.push(...found.problems.map((problem) => ({ ...problem, severity: 'error' as const })));
  }
  const isPolicy = (manifest: Manifest): boolean => /AdmissionPolicy/.test(manifest.kind);
  const parameterKinds = new Set(manifests.flatMap(parameterKind));
  const isHeld = (manifest: Manifest): boolean =>
    held.has(manifest.kind) || parameterKinds.has(`${manifest.apiVersion}/${manifest.kind}`);
  const resources = manifests.filter(
    (m) => isPolicy(m) || isHeld(m) || m.group === 'rbac.authorization.k8s.io',
  );
  const schemas = withDefinitions(
    await loadSchemas({ version: kubernetesVersion }),
    manifests.filter(({ kind }) => kind === 'CustomResourceDefinition').map(({ object }) => object),
  );
  const cluster = loadCluster({
    resources: resources.map(({ object }) => object),
    schemas,
    kubernetesVersion,
    onErrors: 'report',
  });
  for (const { resource, message } of cluster.errors) {
    const manifest = resources.find(({ kind, name }) => `${kind}/${name}` === resource);
    const place = manifest === undefined ? {} : { line: manifest.line };
    problems.push({ file: manifest?.file ?? resource, severity: 'error', message, ...place });
  }
  const subjects = manifests.filter((manifest) => !isPolicy(manifest) && !isHeld(manifest));
  const objects = subjects.map((manifest): JudgedObject => {
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
    problems,
    objects,
    expressions: [],
    policies: manifests.filter(isPolicy).length,
    milliseconds: performance.now() - start,
  };
}

function parameterKind({ object }: Manifest): string[] {
  const { paramKind } = (object['spec'] ?? {}) as {
    paramKind?: { apiVersion?: string; kind?: string };
  };
  return paramKind === undefined ? [] : [`${paramKind.apiVersion}/${paramKind.kind}`];
}

function requestOf(
  manifest: Manifest,
  schemas: Schemas,
  setting: RequestSetting,
): Record<string, unknown> {
  if (manifest.kind === 'AdmissionReview')
    return manifest.object['request'] as Record<string, unknown>;
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
