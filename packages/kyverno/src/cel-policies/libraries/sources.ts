import type { JsonObject } from '@kubeadmit/apimachinery';
import type { SourceAnswer } from '../../context/sources.ts';

/** Data from outside the request that expressions of CEL policies ask for, as far as they are given. */
export interface CelSources {
  /** An object of a cluster; undefined where there is none. */
  readonly getResource?: (
    query: ResourceQuery & { readonly name: string },
  ) => JsonObject | undefined;
  /** The objects of a resource, or why they cannot be listed. */
  readonly listResources?: (
    query: ResourceQuery & { readonly labels: Readonly<Record<string, string>> },
  ) => readonly JsonObject[] | { readonly error: string };
  /** Returns the registry's data about an image. */
  readonly imageData?: (image: string) => SourceAnswer;
  /** A GlobalContextEntry, or a projection of it where one is named; `undefined` if it is not given. */
  readonly globalContext?: (name: string, projection: string) => SourceAnswer | undefined;
  /**
   * The answer of a service to a request. Kyverno answers policies of a namespace (`policyNamespace` is not empty) from
   * the mocks of a test only, and otherwise with an error.
   */
  readonly http?: (method: 'GET' | 'POST', url: string, policyNamespace: string) => SourceAnswer;
}

/** Where objects of a cluster are looked for. */
export interface ResourceQuery {
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespace: string;
}
