import type { JsonObject, KubernetesObject } from '@kubeadmit/apimachinery';
import { jsonOf } from '../readers/json.ts';
import {
  type KyvernoExceptions,
  type KyvernoPolicies,
  readAcceptedExceptions,
  readKyvernoPolicies,
} from '../readers/policies.ts';
import { RequestReader } from './asked-request.ts';
import { clusterSources } from './cluster-sources.ts';
import { imageSources } from './image-sources.ts';
import { type KyvernoCluster, lookedUp } from './kyverno-cluster.ts';
import { withOutsideData } from './outside-data.ts';

/** Policies and exceptions, and the requests as these see them in a cluster. */
export interface KnownPolicies {
  readonly policies: KyvernoPolicies;
  readonly exceptions: KyvernoExceptions;
  readonly requests: RequestReader;
}

/** Reads the policies and exceptions of a cluster. */
export function readKnownPolicies(
  given: readonly KubernetesObject[],
  cluster: KyvernoCluster,
): KnownPolicies {
  const { held, schemas, clock, observe, outside, images } = cluster;
  const exceptions = readAcceptedExceptions(given);
  const policies = readKyvernoPolicies(given, {
    exceptions: exceptions.cel,
    clock,
    observe,
    verifiesImages: images !== undefined,
  });
  const objects = held.map((object) => jsonOf(object));
  const found = (): JsonObject[] => [...objects, ...lookedUp(given, cluster)];
  const ofCluster = { ...clusterSources(found, schemas), ...imageSources(images) };
  const requests = new RequestReader({
    objects: [...(outside?.namespaces ?? []), ...objects],
    sources: withOutsideData(ofCluster, outside),
    exceptions,
    schemas,
    clock,
    outside,
  });
  return { policies, exceptions, requests };
}
