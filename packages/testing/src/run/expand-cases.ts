import { isReview } from '@kubeadmit/chain/requests';
import { stringifyJson } from '@kubeadmit/go';
import { Manifest } from '@kubeadmit/manifest';
import type { SourceReference } from '../format/source-reference.ts';
import type { Suite, SuiteCase } from '../format/suite.ts';
import { CaseProblem, type ReferenceReader } from '../load/reference-reader.ts';
import type { TestCase } from './test-case.ts';

/**
 * The cases of a suite as they are run: one for each object or request of files, and for each version of
 * Kubernetes (default: the given ones). A case whose subject cannot be read has its problem.
 */
export async function expandCases(
  suite: Suite,
  reader: ReferenceReader,
  kubernetesVersions: readonly string[],
): Promise<readonly TestCase[]> {
  const expanded: TestCase[] = [];
  const used = new Map<string, number>();
  for (const origin of suite.cases) {
    for (const one of await subjectsOf(origin, reader)) {
      const versions =
        origin.kubernetesVersions.length > 0 ? origin.kubernetesVersions : kubernetesVersions;
      const names = [suite.name, ...origin.names.slice(0, -1), ...ownNames(origin, one.subject)];
      const name = unique(names.filter((part) => part !== '').join('/'), used);
      const known = { origin, ...one };
      if (versions.length <= 1) expanded.push({ ...known, name, kubernetesVersion: versions[0] });
      else {
        for (const kubernetesVersion of versions) {
          const inVersion = `${name} (Kubernetes ${kubernetesVersion})`;
          expanded.push({ ...known, name: inVersion, kubernetesVersion });
        }
      }
    }
  }
  return expanded;
}

type Found = Pick<TestCase, 'subject' | 'problem'>;

async function subjectsOf(
  { subject }: SuiteCase,
  reader: ReferenceReader,
): Promise<readonly Found[]> {
  try {
    switch (subject.kind) {
      case 'object':
        return [{ subject: await reader.one(subject.from) }];
      case 'request':
        return [{ subject: await readRequest(subject.from, reader) }];
      default: {
        const all = await Promise.all(subject.from.map((file) => reader.all(file)));
        const wantsReviews = subject.kind === 'requests';
        const found = all.flat().filter((one) => isReview(one) === wantsReviews);
        if (found.length > 0) return found.map((one) => ({ subject: one }));
        const wanted = wantsReviews ? 'AdmissionReview' : 'object';
        const problem = `${subject.from.join(', ')}: found no ${wanted}`;
        return [{ subject: undefined, problem }];
      }
    }
  } catch (error) {
    if (!(error instanceof CaseProblem)) throw error;
    return [{ subject: undefined, problem: error.text }];
  }
}

async function readRequest(from: SourceReference, reader: ReferenceReader): Promise<Manifest> {
  if (typeof from === 'string') {
    const found = await reader.one(from);
    if (isReview(found)) return found;
    throw new CaseProblem(`${from}: expected an AdmissionReview, found a ${found.kind}`);
  }
  return reader.review(from);
}

/** The names of a case: its own, and that of its object where it is one of many or has no name. */
function ownNames(
  { names, subject, ownChanges, request }: SuiteCase,
  found: Manifest | undefined,
): readonly string[] {
  const own = names.at(-1) ?? '';
  const title = found === undefined ? '' : titleOf(found);
  if (subject.kind === 'objects' || subject.kind === 'requests') return [own, title];
  if (own !== '') return [own];
  const changed = ownChanges.flatMap((change) => {
    if (change.kind === 'set') return [`${change.field}=${stringifyJson(change.value)}`];
    return change.kind === 'remove' ? [`without ${change.field}`] : [];
  });
  if (changed.length > 0) return [changed.join(', ')];
  return [request.operation === undefined ? title : `${request.operation} ${title}`];
}

function titleOf(manifest: Manifest): string {
  if (!isReview(manifest)) return manifest.title;
  const request = manifest.object['request'] as Readonly<Record<string, unknown>> | undefined;
  const { operation, name, namespace, object, oldObject } = request ?? {};
  const about = [object, oldObject].find((one) => typeof one === 'object' && one !== null);
  const titled =
    about === undefined
      ? [namespace, name].filter((part) => typeof part === 'string').join('/')
      : new Manifest(about as Manifest['object'], manifest.origin, manifest.path).title;
  return [operation, titled].filter((part) => typeof part === 'string' && part !== '').join(' ');
}

function unique(name: string, used: Map<string, number>): string {
  const count = (used.get(name) ?? 0) + 1;
  used.set(name, count);
  return count === 1 ? name : `${name} #${count}`;
}
