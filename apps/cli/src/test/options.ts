import type { PluginChoice } from '@kubeadmit/chain/plugins';
import type { OutputTarget } from '../output/targets.ts';

/** Selects tests by their names. */
export interface NameFilter {
  /** The regular expression. */
  readonly source: string;
  readonly test: (name: string) => boolean;
}

/** The options of `kubeadmit test`. */
export interface TestOptions {
  readonly output?: readonly OutputTarget[];
  readonly fileName: string;
  readonly testCaseSelector: string;
  readonly run?: NameFilter;
  readonly list?: boolean;
  readonly failFast?: boolean;
  readonly shard?: Shard;
  readonly strict?: boolean;
  readonly update?: boolean;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly failOnly?: boolean;
  readonly detailedResults?: boolean;
  readonly mutatePolicies?: boolean;
  readonly coverage?: boolean;
  readonly coverageOutput?: readonly OutputTarget[];
  /** In percent. */
  readonly coverageThreshold?: number;
  readonly watch?: boolean;
  /** Whether links and paths in tests may lead to any file; default only to those of the repository or folder. */
  readonly allowOutside?: boolean;
  readonly kubernetesVersion?: readonly string[];
  /** A folder that `kubeadmit image-data record` wrote. */
  readonly imageData?: string;
  /** The trust root of Sigstore, as a file. */
  readonly trustedRoot?: string;
  /** The admission plugins of cases that name none. */
  readonly plugins?: PluginChoice;
}

/** One of several parts of the tests, each as large as the others: `2/4` is the second of four. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}
