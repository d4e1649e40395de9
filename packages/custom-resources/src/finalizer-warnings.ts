import { type JsonObject, member } from '@kubeadmit/apimachinery';
import { memberObject, qualifiedNameProblems } from '@kubeadmit/apimachinery/internal';
import { compareText, quote } from '@kubeadmit/go/internal';

const standard: ReadonlySet<unknown> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Returns the warnings about finalizers that an object did not have before (apiextensions, `strategy`). */
export function finalizerWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  const before = new Set(finalizersOf(old));
  return [...new Set(finalizersOf(object))]
    .filter((name) => !before.has(name))
    .sort(compareText)
    .flatMap((name) =>
      [...qualifiedNameProblems(name), ...domainProblems(name)].map(
        (problem) => `metadata.finalizers: ${quote(name)}: ${problem}`,
      ),
    );
}

function finalizersOf(object: JsonObject | undefined): readonly string[] {
  const finalizers = member(memberObject(object, 'metadata'), 'finalizers');
  return Array.isArray(finalizers) ? finalizers : [];
}

function domainProblems(name: string): string[] {
  if (name.includes('/') || standard.has(name)) return [];
  const path = name.includes('.') ? ' including a path (/)' : '';
  return [
    `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
  ];
}
