import type { PluginChoice } from '@kubeadmit/chain/plugins';
import type { InputProblem, Path, Place, ReadDocument, Source } from '@kubeadmit/manifest';
import type { Expectation } from './expectation.ts';
import type { SourceReference } from './source-reference.ts';

/** The fields of a suite that list the objects of a cluster, in reading order. */
export const clusterFieldNames = [
  'policies',
  'bindings',
  'parameters',
  'namespaces',
  'rbac',
  'definitions',
  'resources',
] as const;

/** The objects of the cluster while cases run. */
export interface ClusterFields
  extends Readonly<Record<(typeof clusterFieldNames)[number], readonly SourceReference[]>> {
  /** Whether policies without a binding are given one. */
  readonly autoBindings: boolean;
  /** The admission plugins of the server; absent if these fields do not say. */
  readonly plugins?: PluginChoice['selection'] | undefined;
}

/** The user of a request. */
export interface SuiteUser {
  readonly name: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The fields of a request. */
export interface RequestFields {
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly subresource?: string;
  readonly namespace?: string;
  readonly user?: SuiteUser;
  readonly dryRun?: boolean;
  readonly oldObject?: SourceReference;
}

/** The subject of cases: one object or request, or each of those in files. */
export type Subject =
  | { readonly kind: 'object' | 'request'; readonly from: SourceReference }
  | { readonly kind: 'objects' | 'requests'; readonly from: readonly string[] };

/** One change of an object, in the order in which changes are made. */
export type ObjectChange =
  | { readonly kind: 'set'; readonly field: string; readonly value: unknown; readonly path: Path }
  | { readonly kind: 'remove'; readonly field: string; readonly path: Path }
  | { readonly kind: 'merge'; readonly value: unknown; readonly path: Path }
  | { readonly kind: 'patch'; readonly operations: readonly unknown[]; readonly path: Path };

/** A case of a suite with everything that is said around it. */
export interface SuiteCase {
  /** Its own name and those of the groups around it; empty where a name is still to be made. */
  readonly names: readonly string[];
  /** The position in the document. */
  readonly path: Path;
  readonly place: Place;
  /** Why it is not run. */
  readonly skip?: string;
  readonly clusters: readonly ClusterFields[];
  readonly request: RequestFields;
  readonly subject: Subject;
  /** The changes of the groups around the case, and its own. */
  readonly changes: readonly ObjectChange[];
  readonly ownChanges: readonly ObjectChange[];
  readonly kubernetesVersions: readonly string[];
  readonly expectation: Expectation;
}

/** A suite of cases: one document of a `*.admit.yaml` file. */
export interface Suite {
  /** The file that it is from. */
  readonly file: string;
  /** Its name, by default that of the file. */
  readonly name: string;
  /** The text of the file. */
  readonly source: Source;
  /** The document of the suite, with its places. */
  readonly document: ReadDocument;
  /** Whether policies that concern no case are errors. */
  readonly strict: boolean;
  /** Its cases, those of groups and tables too. */
  readonly cases: readonly SuiteCase[];
}

/** The suites of a file, and everything that is wrong with it. */
export interface ReadSuites {
  /** Those that could be read. */
  readonly suites: readonly Suite[];
  /** The problems of the skipped ones. */
  readonly problems: readonly InputProblem[];
}
