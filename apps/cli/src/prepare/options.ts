import type { PluginChoice } from '@kubeadmit/chain/plugins';
import type { FieldValidation } from '@kubeadmit/check';
import type { FileOptions } from '../input/sources.ts';
import type { OutputTarget } from '../output/targets.ts';

/** The options for inputs and requests: what to read, what to skip, and the attributes of the requests. */
export interface InputOptions extends FileOptions {
  readonly policies?: readonly string[];
  readonly resources?: readonly string[];
  readonly staticManifests?: readonly string[];
  readonly oldResource?: readonly string[];
  readonly skipKinds?: readonly string[];
  readonly maxFileSize: number;
  readonly helmValues?: readonly string[];
  readonly lastWins?: boolean;
  readonly validate: FieldValidation;
  readonly namespace: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly subresource?: string;
  readonly dryRun?: boolean;
  readonly as: string;
  readonly asGroup?: readonly string[];
  readonly asUid?: string;
  readonly asExtra?: readonly string[];
  readonly kubernetesVersion?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  /** The namespace of the cluster whose PolicyExceptions apply; `*` for all. */
  readonly exceptionNamespace?: string;
  readonly ignoreUnknownKinds?: boolean;
  /** Files of the Kyverno CLI with data for its policies. */
  readonly valuesFile?: string;
  readonly contextFile?: string;
  /** A folder that `kubeadmit image-data record` wrote. */
  readonly imageData?: string;
  /** The trust root of Sigstore, as a file. */
  readonly trustedRoot?: string;
  readonly userinfo?: string;
  /** Variables of Kyverno rules as `name=value`. */
  readonly set?: readonly string[];
  /** The action of policies without a binding. */
  readonly bind?: 'Deny' | 'Warn' | 'Audit';
  /** The admission plugins of the server; default those of policies and webhooks. */
  readonly plugins?: PluginChoice;
}

/** The options of `kubeadmit check`. */
export interface CheckOptions extends InputOptions {
  readonly output?: readonly OutputTarget[];
  readonly quiet?: boolean;
  readonly strict?: boolean;
  readonly failOnWarn?: boolean;
  readonly failOnAudit?: boolean;
  readonly exitZero?: boolean;
  readonly allowNothing?: boolean;
  readonly watch?: boolean;
}
