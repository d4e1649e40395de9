import { type OptionKind, requireOptions, requireValue } from '@kubeadmit/base';
import type { RequestUser } from '@kubeadmit/chain';
import { type RequestSettings, requireUser } from '@kubeadmit/chain/requests';
import type { GivenManifest } from '@kubeadmit/lint';
import type { BindingAction } from '@kubeadmit/lint/inputs';
import { requireGiven } from '@kubeadmit/lint/unstable-internal';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import type { FieldValidation } from './field-validation.ts';

/** The options for making requests from manifests, and how strict to be. */
export interface PrepareOptions {
  /** The namespace of manifests that name none. */
  readonly namespace: string;
  /** Who asks. */
  readonly user: RequestUser;
  /** Default `CREATE`. */
  readonly operation?: RequestSettings['operation'] | undefined;
  /** The objects before an update. */
  readonly oldResources?: readonly Manifest[] | undefined;
  /** Default none. */
  readonly subresource?: string | undefined;
  /** Whether requests are only tried; default false. */
  readonly dryRun?: boolean | undefined;
  /** The server's version; default the newest. */
  readonly kubernetesVersion?: string | undefined;
  /** Default `strict`. */
  readonly validate?: FieldValidation | undefined;
  /** Whether the objects are as a cluster stores them, and not manifests that are sent to it; default false. */
  readonly areStored?: boolean | undefined;
  /** Whether the last of several objects with one name counts, and not the first. */
  readonly lastWins?: boolean | undefined;
  /** Whether manifests of kinds that are not known are left out, and not an error. */
  readonly ignoreUnknownKinds?: boolean | undefined;
  /** The problems of inputs that could not be read. */
  readonly unreadable?: readonly InputProblem[] | undefined;
  /** How policies without a binding act; by default they do nothing. */
  readonly bind?: BindingAction | undefined;
  /** Whether objects are checked against their schemas where no policy is given; by default that is an error. */
  readonly withoutPolicies?: boolean | undefined;
  /** Whether admission plugins run beside policies, so that the objects that they read are used; default false. */
  readonly withPlugins?: boolean | undefined;
}

const optionKinds: Readonly<Record<keyof PrepareOptions, OptionKind>> = {
  namespace: 'string',
  user: 'object',
  operation: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  oldResources: 'list',
  subresource: 'string',
  dryRun: 'boolean',
  kubernetesVersion: 'string',
  validate: ['strict', 'warn', 'ignore'],
  areStored: 'boolean',
  lastWins: 'boolean',
  ignoreUnknownKinds: 'boolean',
  unreadable: 'list',
  bind: ['Deny', 'Warn', 'Audit'],
  withoutPolicies: 'boolean',
  withPlugins: 'boolean',
};

/** @throws TypeError if an argument of `prepareCheck` or `planCheck` has the wrong kind */
export function requireArguments(given: unknown, options: PrepareOptions, report: unknown): void {
  requireGiven('prepareCheck', given as readonly GivenManifest[]);
  requireOptions('prepareCheck', options, optionKinds);
  requireUser('prepareCheck: `user`', options.user);
  requireValue('prepareCheck', report, 'function', 'a function that receives problems');
}
