import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import type { Chain } from '@kubeadmit/chain';
import { optionsOf, userInfo } from '@kubeadmit/chain/requests';
import { concernedKinds } from '@kubeadmit/chain/scan';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { ApiClient } from '../cluster/api-client.ts';
import { Discovery, type ServedResource } from '../cluster/discovery.ts';
import type { RemoteAuthorizer } from '../cluster/remote-authorizer.ts';
import type { Generation } from '../policies/generation.ts';
import { decisionEntries } from '../reports/decision-entries.ts';
import type { ReportEntry } from '../reports/report-entries.ts';
import type { KnownReport, ReportedObject, ReportWriter } from '../reports/report-writer.ts';
import { decideReview, type ReviewDecision } from '../review/decide-review.ts';
import { isExempt } from '../review/exempt.ts';

const pageSize = 100;
// The number of objects that are checked concurrently; most of the time is spent writing reports.
const mostAtOnce = 8;
const decideMilliseconds = 10_000;
const user = userInfo({ name: 'system:kubeadmit:scan' });

/** The inputs of a scan. */
export interface ScanGivens {
  readonly client: Pick<ApiClient, 'ask' | 'pages'>;
  readonly writer: ReportWriter;
  readonly generation: Generation;
  readonly excludedNamespaces: ReadonlySet<string>;
  readonly authorizer: RemoteAuthorizer | undefined;
  readonly clock: () => number;
  /** Whether reports have the form of Kyverno's. */
  readonly asKyverno: boolean;
  /** Receives the results of Kyverno's policies for an object. */
  readonly found?: (object: ReportedObject, responses: ScannedResponses) => void;
  /** Whether it is not to go on. */
  readonly isOver: () => boolean;
}

/** The results of Kyverno's policies for an object. */
type ScannedResponses = ReviewDecision['responses'];

/** The result of a scan. */
export interface ScanReport {
  readonly objects: number;
  /** Objects whose report could not be written, and collections that could not be listed, with the reason. */
  readonly problems: readonly string[];
}

/**
 * Evaluates the validating policies for all objects in a cluster that they may match, and updates the reports.
 *
 * The objects are evaluated as if the user `system:kubeadmit:scan` created them. Reports of objects that no longer
 * have results are removed.
 */
export async function scan(givens: ScanGivens): Promise<ScanReport> {
  const { client, writer, generation, clock } = givens;
  const began = clock();
  const problems: string[] = [];
  const discovery = new Discovery(client);
  await discovery.refresh();
  const { resources, silent } = discovery;
  problems.push(...silent.map((group) => `${group}: does not answer`));
  const concerns = await concernedKinds(generation.chain);
  const targets = resources.filter(
    (each) =>
      each.verbs.has('list') &&
      concerns(each) &&
      !isExempt({ resource: each, namespace: '' }, new Set()),
  );
  const left = policiesWithoutBackground(generation.chain);
  const reports = new Map<string, KnownReport>();
  const isOfRequests = ({ policy }: ReportEntry): boolean => left.has(policy);
  for await (const known of writer.list(isOfRequests)) reports.set(known.path, known);
  const unseen = new Set<string>();
  let objects = 0;
  for (const target of targets) {
    const { path, apiVersion, kind } = target;
    try {
      for await (const { items } of client.pages(path, pageSize)) {
        await forEach(items, async (item) => {
          if (givens.isOver()) return;
          objects++;
          const object = { ...item, apiVersion, kind };
          const reported = referenceTo(object);
          // Only the place of a report shows that it is ours; users write the content of others.
          const place = writer.pathOf(reported);
          const known = reports.get(place);
          reports.delete(place);
          try {
            const entries = await entriesAbout(givens, target, { object, left });
            // The results of policies for requests alone stay as they were.
            const all = [...(known?.kept ?? []), ...entries];
            await writer.replace(reported, all, known);
          } catch (error) {
            problems.push(`${path} ${metadataString(item, 'name')}: ${errorText(error)}`);
          }
        });
        if (givens.isOver()) return { objects, problems };
      }
    } catch (error) {
      unseen.add(`${apiVersion} ${kind}`);
      problems.push(`${path}: ${errorText(error)}`);
    }
  }
  for (const { path, kind, created } of reports.values()) {
    // Keeps reports of objects that could not be listed, and reports that were created since the scan began.
    if (unseen.has(kind) || silent.length > 0 || created >= began - 1000) continue;
    await writer.remove(path);
  }
  return { objects, problems };
}

// Processes several items concurrently.
async function forEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const takeTurns = async (): Promise<void> => {
    for (const item of rest) await act(item);
  };
  await Promise.all(Array.from({ length: mostAtOnce }, takeTurns));
}

async function entriesAbout(
  { generation, excludedNamespaces, authorizer, clock, asKyverno, found }: ScanGivens,
  target: ServedResource,
  { object, left }: { readonly object: KubernetesObject; readonly left: ReadonlySet<string> },
): Promise<readonly ReportEntry[]> {
  const review = { apiVersion: 'admission.k8s.io/v1', request: requestOf(target, object) } as const;
  const deadline = performance.now() + decideMilliseconds;
  const options = { excludedNamespaces, deadline, authorizer, isScan: true };
  const decision = await decideReview(generation, 'validate', review, options);
  const responses = decision.responses.filter((each) => !left.has(policyName(each)));
  found?.(referenceTo(object), responses);
  const scanned = {
    findings: () => decision.findings().filter(({ policy }) => !left.has(policy)),
    nativeFindings: () => decision.nativeFindings(),
    responses,
  };
  return decisionEntries(scanned, generation, { asKyverno, now: clock() });
}

function policyName({ namespace, policy }: ScannedResponses[number]): string {
  return namespace === '' ? policy : `${namespace}/${policy}`;
}

function requestOf(
  { group, version, kind, resource }: ServedResource,
  object: KubernetesObject,
): AdmissionRequest & { readonly uid: string } {
  const { name, namespace, uid } = referenceTo(object);
  const asked = { group, version, kind };
  const served = { group, version, resource };
  const isNamespace = group === '' && resource === 'namespaces';
  return {
    uid,
    ...{ kind: asked, requestKind: asked, resource: served, requestResource: served },
    ...{ name, operation: 'CREATE', userInfo: user },
    ...(isNamespace ? { namespace: name } : namespace === undefined ? {} : { namespace }),
    ...{ object, oldObject: null, dryRun: false },
    ...optionsOf('CREATE'),
  };
}

function referenceTo(object: KubernetesObject): ReportedObject {
  const namespace = metadataString(object, 'namespace');
  return {
    apiVersion: String(object['apiVersion']),
    kind: String(object['kind']),
    name: metadataString(object, 'name'),
    uid: metadataString(object, 'uid'),
    ...(namespace === '' ? {} : { namespace }),
  };
}

// By name, and as reports name them: Kyverno's `background: false`: rules that make sense for requests only.
function policiesWithoutBackground({ kyverno }: Chain): ReadonlySet<string> {
  const { classic = [], cel = [] } = kyverno?.policies ?? {};
  const left = [
    ...classic.filter(({ object }) => member(member(object, 'spec'), 'background') === false),
    ...cel.filter(({ object }) => {
      const background = member(member(member(object, 'spec'), 'evaluation'), 'background');
      return member(background, 'enabled') === false;
    }),
  ];
  return new Set(
    left.flatMap(({ object }) => {
      const name = metadataString(object, 'name');
      const namespace = metadataString(object, 'namespace');
      return namespace === '' ? [name] : [name, `${namespace}/${name}`];
    }),
  );
}
