import type { Manifest } from '@kubeadmit/manifest';
import type { SuiteCase } from '../format/suite.ts';

/** A case to run, with one object or request and one version of Kubernetes. */
export interface TestCase {
  /** The names of the suite, the groups and the case, with slashes. */
  readonly name: string;
  /** The case as it was read. */
  readonly origin: SuiteCase;
  /** The object before the changes of the case, or the review of its request. */
  readonly subject: Manifest | undefined;
  /** The version of Kubernetes; undefined for the default. */
  readonly kubernetesVersion: string | undefined;
  /** Why it cannot be run. */
  readonly problem?: string;
}
