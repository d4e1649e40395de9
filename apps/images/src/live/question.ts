import type { ImageReference } from '@kubeadmit/kyverno/images';
import { readManifest } from '../registry/manifests.ts';
import { signatureTypes } from '../registry/record.ts';
import {
  type Descriptor,
  digestOf,
  type Manifest,
  RegistryError,
  type Repository,
  repositoryName,
} from '../registry/registry.ts';

/** A part of a registry that a verification reads. */
export type Question =
  | { readonly kind: 'manifest'; readonly image: ImageReference }
  | { readonly kind: 'blob'; readonly repository: Repository; readonly descriptor: Descriptor }
  | { readonly kind: 'referrers'; readonly repository: Repository; readonly digest: string };

/** The answer of a registry to a question; undefined if it has no such content. */
export type Content = Manifest | Uint8Array | undefined;

/** Returns the key of a question; messages contain it too. */
export function keyOf(question: Question): string {
  switch (question.kind) {
    case 'manifest': {
      const { tag, digest } = question.image;
      const name = repositoryName(question.image);
      return `manifest ${name}${digest === '' ? `:${tag}` : `@${digest}`}`;
    }
    case 'blob':
      return `blob ${repositoryName(question.repository)}@${question.descriptor.digest}`;
    case 'referrers':
      return `referrers of ${repositoryName(question.repository)}@${question.digest}`;
  }
}

/** The host of the registry that answers a question. */
export function hostOf(question: Question): string {
  return question.kind === 'manifest' ? question.image.registry : question.repository.registry;
}

/** Whether the answer of a question never changes, since it names a digest. */
export function isFixed(question: Question): boolean {
  return question.kind === 'blob' || (question.kind === 'manifest' && question.image.digest !== '');
}

/** The length of content in bytes. */
export function lengthOf(content: Content): number {
  if (content === undefined) return 0;
  return content instanceof Uint8Array ? content.length : content.bytes.length;
}

/** How many parts of a list are read ahead. */
const mostAhead = 50;

const signatureTag = /sha256-[0-9a-f]{64}\.(?:sig|att)$/;

/**
 * Returns the questions that follow from an answer. A verification reads one signature after another; reading them ahead
 * saves an evaluation for each.
 */
export function questionsAfter(question: Question, content: Content): readonly Question[] {
  if (content === undefined || content instanceof Uint8Array) return [];
  try {
    const { layers, manifests, artifactType } = readManifest(content);
    if (question.kind === 'referrers') {
      const { repository } = question;
      return manifests
        .filter((each) => signatureTypes.test(each.artifactType))
        .slice(0, mostAhead)
        .map(({ digest }) => ({ kind: 'manifest', image: digestOf(repository, digest) }));
    }
    if (question.kind !== 'manifest') return [];
    const { image: repository } = question;
    const isSignature = signatureTag.test(repository.tag) || signatureTypes.test(artifactType);
    return isSignature
      ? layers
          .slice(0, mostAhead)
          .map((descriptor) => ({ kind: 'blob', repository, descriptor }) as const)
      : [];
  } catch (error) {
    // Content that cannot be used is reported by the verification.
    if (error instanceof RegistryError) return [];
    throw error;
  }
}
