import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import type { Authorizer, Operation, RequestAttributes } from '@kubeadmit/engine';
import type { Schemas } from '@kubeadmit/schemas';

/** One admission plugin of kube-apiserver. Plugins never modify the objects that they receive. */
export interface AdmissionPlugin {
  /** The name in `--enable-admission-plugins`. */
  readonly name: string;
  /** The operations that the plugin handles (`admission.NewHandler`); others skip it. */
  readonly operations: readonly Operation[];
  /**
   * The resources that the plugin reads from the cluster, as `RESOURCE.GROUP` or, in the core group, `RESOURCE`. A
   * server keeps their objects at hand.
   */
  readonly reads?: readonly string[];
  /** Changes or refuses the object of a request (`MutationInterface`). */
  readonly mutate?: PluginStep;
  /** Refuses a request, after all mutation and the validation of its object (`ValidationInterface`). */
  readonly validate?: PluginStep;
  /**
   * Completes an object that the plugin reads as a controller does, such as the usage in the status of a quota; absent
   * where no controller is involved.
   */
  readonly complete?: (object: KubernetesObject, cluster: PluginCluster) => KubernetesObject;
  /**
   * Returns the plugin with its part of an AdmissionConfiguration; absent for plugins without configuration.
   *
   * @throws Error if the configuration is invalid; the message is kube-apiserver's
   */
  readonly configure?: (configuration: string, warn: Warn) => AdmissionPlugin;
  /** The error of a server that runs the plugin without a configuration; absent if that is allowed. */
  readonly unconfigured?: string;
}

/** Receives a part of a configuration that kube-apiserver ignores silently, such as a misspelled field. */
export type Warn = (text: string) => void;

/** Answers one request; undefined if the plugin has nothing to change, refuse or report. */
export type PluginStep = (
  request: PluginRequest,
  cluster: PluginCluster,
) => PluginOutcome | undefined;

/** A request as plugins see it. Its objects are decoded and defaulted, in the version of the request. */
export type PluginRequest = RequestAttributes;

/** The answer of a plugin. */
export interface PluginOutcome {
  /** The changed object; absent if the object stays the same. */
  readonly object?: KubernetesObject | undefined;
  /** The refusal; absent if the request continues. */
  readonly denial?: Status | undefined;
  /** Warnings for the client, in order. */
  readonly warnings?: readonly string[] | undefined;
  /** Audit annotations by their complete keys. */
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
  /** The objects that caused the answer, such as a LimitRange, for explanations. */
  readonly causes?: readonly KubernetesObject[] | undefined;
  /** Events that a server counts in its metrics. */
  readonly counts?: readonly PluginCount[] | undefined;
  /** Objects that the plugin stores beside the request, unless the request is a dry run. */
  readonly writes?: readonly PluginWrite[] | undefined;
}

/** An event that a server counts in its metrics. */
export interface PluginCount {
  /** The name of the counter, such as `pod_security_evaluations_total`. */
  readonly metric: string;
  /** The values of the counter's labels, by their names. */
  readonly labels: Readonly<Record<string, string>>;
}

/** An object that a plugin stores. */
export interface PluginWrite {
  /** The write: of the status of an existing object. */
  readonly verb: 'updateStatus';
  /** The complete object with its new status. */
  readonly object: KubernetesObject;
}

/** The cluster as plugins see it: decoded and defaulted objects in the newest stable version of their kind. */
export interface PluginCluster {
  /** The schemas of all kinds that the server has, custom resources among them. */
  readonly schemas: Schemas;
  /** The minor version of the server, such as 37. */
  readonly minor: number;
  /** Answers whether the user of a request may do more. */
  readonly authorizer: Authorizer;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns a name from a base and a random suffix of five letters (apiserver storage/names). */
  readonly generateName: (base: string) => string;
  /**
   * Returns the object of a name, or undefined. The resource is named as in {@link AdmissionPlugin.reads}; the namespace
   * of cluster-scoped objects is empty.
   */
  readonly get: (resource: string, namespace: string, name: string) => KubernetesObject | undefined;
  /** Returns all objects of a resource, those of one namespace if it is given, ordered by namespace and name. */
  readonly list: (resource: string, namespace?: string) => readonly KubernetesObject[];
}
