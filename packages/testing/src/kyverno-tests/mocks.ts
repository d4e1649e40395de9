import type { Value } from '@kubeadmit/cel';

/** The answer that a test gives in the place of an API server or service. */
export interface ApiCallResponse {
  /** An absolute URL, or the path of a request to the API server. */
  readonly url: string;
  /** The method in upper case; empty for any. */
  readonly method: string;
  readonly statusCode: number;
  readonly body: Value;
}

/** The data that a test gives in the place of a GlobalContextEntry. */
export interface GlobalContextEntry {
  readonly name: string;
  readonly data: Value | undefined;
  readonly resources: readonly Value[] | undefined;
  /** Paths of files with the resources. */
  readonly resourceFiles: readonly string[];
  readonly fieldPath: string;
  readonly projections: readonly { readonly name: string; readonly path: string }[];
}
