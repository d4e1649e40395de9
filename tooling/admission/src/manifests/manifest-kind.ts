import type { Random } from '@kubeadmit/random';

/** Fields of a manifest or of a part of one. */
export type Fields = Readonly<Record<string, unknown>>;

type Make = (random: Random) => { readonly [Name in 'metadata' | 'body']?: Fields };

/** A kind of manifests: the resource of its objects, and how one is made. */
export interface ManifestKind {
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly make: Make;
}

/** A kind whose objects belong to namespaces. */
export function of(apiVersion: string, resource: string, make: Make): ManifestKind {
  return { apiVersion, resource, namespaced: true, make };
}

/** A kind whose objects belong to no namespace. */
export function ofCluster(apiVersion: string, resource: string, make: Make): ManifestKind {
  return { apiVersion, resource, namespaced: false, make };
}

/** A body with a status, in a quarter of the manifests. */
export function withStatus(random: Random, body: Fields, status: Fields): Fields {
  return random.chance(0.25) ? { ...body, status } : body;
}
