import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import type { Chain } from '@kubeadmit/check';
import { concernedKinds, optionsOf, userInfo } from '@kubeadmit/check/internal';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { ApiClient } from '../cluster/api-client.ts';
import type { RemoteAuthorizer } from '../cluster/remote-authorizer.ts';
import type { Generation } from '../policies/generation.ts';
import { reportEntries } from '../reports/report-entries.ts';
import type { KnownReport, ReportWriter } from '../reports/report-writer.ts';
import { decideReview } from '../review/decide-review.ts';
import { isExempt } from '../review/exempt.ts';
import { type ServedCollection, servedCollections } from './served-kinds.ts';

const pageSize = 100;
const decideMilliseconds = 10_000;
const user = userInfo({ name: 'system:kubeadmit:scan' });

/** What a scan needs. */
export interface ScanGivens {
  readonly client: Pick<ApiClient, 'ask'>;
  readonly writer: ReportWriter;
  readonly generation: Generation;
  readonly excludedNamespaces: ReadonlySet<string>;
  readonly authorizer: RemoteAuthorizer | undefined;
  readonly clock: () => number;
  /** Whether it is not to go on. */
  readonly isOver: () => boolean;
}

/** What a scan did. */
export interface ScanReport {
  readonly objects: number;
  /** Objects whose report could not be written, and collections that could not be listed, with the reason. */
  readonly problems: readonly string[];
}

/**
 * Asks the validating policies about everything in a cluster that they may concern, as if it was created by the user
 * `system:kubeadmit:scan`, writes the reports, and removes those of objects that nothing is said of any more.
 */
export async function scan(givens: ScanGivens): Promise<ScanReport> {
  const { client, writer, generation, clock } = givens;
  const began = clock();
  const problems: string[] = [];
  const { collections, silent } = await servedCollections(client);
  problems.push(...silent.map((group) => `${group}: does not answer`));
  const concerns = await concernedKinds(generation.chain);
  const targets = collections.filter(
    (each) => concerns(each) && !isExempt({ resource: each, namespace: '' }, new Set()),
  );
  const reports = new Map<string, KnownReport>();
  for (const report of await writer.list()) reports.set(report.uid, report);
  const unseen = new Set<string>();
  let objects = 0;
  for (const target of targets) {
    try {
      for await (const object of listed(client, target)) {
        if (givens.isOver()) return { objects, problems };
        objects++;
        reports.delete(metadataString(object, 'uid'));
        try {
          await report(givens, target, object);
        } catch (error) {
          problems.push(`${target.path} ${metadataString(object, 'name')}: ${textOf(error)}`);
        }
      }
    } catch (error) {
      unseen.add(`${target.apiVersion} ${target.kind}`);
      problems.push(`${target.path}: ${textOf(error)}`);
    }
  }
  for (const { path, kind, created } of reports.values()) {
    // What could not be seen may be there, and what is new was not there yet.
    if (unseen.has(kind) || silent.length > 0 || created >= began - 1000) continue;
    await writer.remove(path);
  }
  return { objects, problems };
}

async function* listed(
  client: Pick<ApiClient, 'ask'>,
  { path, apiVersion, kind }: ServedCollection,
): AsyncGenerator<KubernetesObject> {
  for (let token = ''; ; ) {
    const next = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
    const page = parseJson(await client.ask(`${path}?limit=${pageSize}${next}`));
    for (const item of (member(page, 'items') ?? []) as readonly KubernetesObject[]) {
      yield { ...item, apiVersion, kind };
    }
    token = String(member(member(page, 'metadata'), 'continue') ?? '');
    if (token === '') return;
  }
}

async function report(
  { generation, excludedNamespaces, authorizer, writer, clock }: ScanGivens,
  target: ServedCollection,
  object: KubernetesObject,
): Promise<void> {
  const [name, namespace, uid] = ['name', 'namespace', 'uid'].map((field) =>
    metadataString(object, field),
  ) as [string, string, string];
  const request = requestOf(target, object, { name, namespace, uid });
  const review = { apiVersion: 'admission.k8s.io/v1', request } as const;
  const deadline = performance.now() + decideMilliseconds;
  const options = { excludedNamespaces, deadline, authorizer };
  const decision = await decideReview(generation, 'validate', review, options);
  const left = namesWithoutBackground(generation.chain);
  const findings = decision.findings().filter(({ policy }) => !left.has(policy));
  const entries = reportEntries(findings, clock());
  const { apiVersion, kind } = target;
  const reported = { apiVersion, kind, name, uid, ...(namespace === '' ? {} : { namespace }) };
  await writer.write(reported, () => entries);
}

function requestOf(
  { group, version, kind, resource }: ServedCollection,
  object: KubernetesObject,
  {
    name,
    namespace,
    uid,
  }: { readonly name: string; readonly namespace: string; readonly uid: string },
): AdmissionRequest & { readonly uid: string } {
  const asked = { group, version, kind };
  const served = { group, version, resource };
  const isNamespace = group === '' && resource === 'namespaces';
  return {
    uid,
    ...{ kind: asked, requestKind: asked, resource: served, requestResource: served },
    ...{ name, operation: 'CREATE', userInfo: user },
    ...(isNamespace ? { namespace: name } : namespace === '' ? {} : { namespace }),
    ...{ object, oldObject: null, dryRun: false },
    ...optionsOf('CREATE'),
  };
}

// Kyverno's `background: false`: rules that make sense for requests only.
function namesWithoutBackground({ kyverno }: Chain): ReadonlySet<string> {
  const { classic = [], cel = [] } = kyverno?.policies ?? {};
  return new Set([
    ...classic
      .filter(({ object }) => member(member(object, 'spec'), 'background') === false)
      .map(({ object }) => metadataString(object, 'name')),
    ...cel
      .filter(({ object }) => {
        const background = member(member(member(object, 'spec'), 'evaluation'), 'background');
        return member(background, 'enabled') === false;
      })
      .map(({ object }) => metadataString(object, 'name')),
  ]);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
