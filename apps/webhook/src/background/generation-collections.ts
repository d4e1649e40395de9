import type { Generator } from '@kubeadmit/chain/kyverno-background';
import type { ServedResource } from '../cluster/discovery.ts';
import { generatedLabel } from './owner.ts';
import { mayTrigger } from './triggers.ts';
import type { Watched } from './watches.ts';

/**
 * Returns the collections that policies need.
 *
 * @param wasGenerated whether a resource with a path has generated objects already
 */
export function generationCollections(
  generators: readonly Generator[],
  resources: readonly ServedResource[],
  wasGenerated: (path: string) => boolean,
): readonly Watched[] {
  const sources = generators.flatMap((each) => each.sources);
  return resources
    .filter(({ verbs }) => verbs.has('list') && verbs.has('watch'))
    .flatMap((resource): readonly Watched[] => {
      const all = { resource, namespace: '', labelSelector: '' };
      const { path } = resource;
      const isTrigger = generators.some((each) => mayTrigger(each, resource));
      const isNamespace = path === '/api/v1/namespaces' && generators.length > 0;
      const hasGenerated =
        wasGenerated(path) || generators.some((each) => each.mayGenerate(resource));
      return [
        ...(isTrigger ? [{ ...all, role: 'trigger' as const }] : []),
        ...(isNamespace ? [{ ...all, role: 'namespace' as const }] : []),
        ...(hasGenerated
          ? [{ ...all, role: 'generated' as const, labelSelector: generatedLabel }]
          : []),
        ...sources
          .filter(({ matches }) => matches(resource))
          .map(({ namespace }) => ({ ...all, role: 'source' as const, namespace })),
      ];
    });
}
