import type { JsonObject } from '@kubeadmit/apimachinery';
import { readWorkload, type WorkloadStruct } from '@kubeadmit/schemas/workloads';
import { podSpecPath } from '../autogen/kinds.ts';
import { stringField } from '../policy/fields.ts';
import { goTypesMinor } from '../policy/go-types-minor.ts';

/** The parts of a pod that the Pod Security Standards look at, typed as in Go. */
export interface Pod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  /** All containers in the order in which checks visit them. */
  readonly containers: readonly PlacedContainer[];
}

/** A container with its path. */
export interface PlacedContainer {
  readonly path: string;
  /** The path of its security context. */
  readonly contextPath: string;
  readonly container: Container;
}

/** The parts of `spec` that checks look at. */
export interface PodSpec {
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly os?: { readonly name?: string };
  readonly securityContext?: SecurityContext;
  readonly volumes?: readonly Volume[];
  readonly initContainers?: readonly Container[];
  readonly containers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
}

/** A volume: its sources by name. */
export interface Volume {
  readonly hostPath?: { readonly path?: string };
  readonly [source: string]: unknown;
}

/** The parts of a container that checks look at. */
export interface Container {
  readonly name?: string;
  readonly image?: string;
  readonly securityContext?: SecurityContext;
  readonly ports?: readonly { readonly hostPort?: number | bigint }[];
  readonly livenessProbe?: Handler;
  readonly readinessProbe?: Handler;
  readonly startupProbe?: Handler;
  readonly lifecycle?: { readonly postStart?: Handler; readonly preStop?: Handler };
}

/** A probe or a lifecycle handler. */
export interface Handler {
  readonly httpGet?: { readonly host?: string };
  readonly tcpSocket?: { readonly host?: string };
}

/** The security context of a pod or of a container. */
export interface SecurityContext {
  readonly allowPrivilegeEscalation?: boolean;
  readonly privileged?: boolean;
  readonly procMount?: string;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number | bigint;
  readonly appArmorProfile?: { readonly type?: string };
  readonly seccompProfile?: { readonly type?: string };
  readonly seLinuxOptions?: {
    readonly type?: string;
    readonly user?: string;
    readonly role?: string;
  };
  readonly windowsOptions?: { readonly hostProcess?: boolean };
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  readonly sysctls?: readonly { readonly name?: string }[];
}

interface Templated {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: PodSpec;
}

/** The pod that an object is or makes; a text says why there is none (Kyverno's `getSpec`). */
export function readPod(object: JsonObject): Pod | string {
  switch (podSpecPath(stringField(object, 'kind'))) {
    case undefined:
      return 'could not find correct resource type';
    case 'spec':
      return read<Templated>(object, 'core.v1.Pod', (pod) => pod);
    case 'spec.template.spec':
      // Kyverno reads every workload as a Deployment.
      return read<Workload>(object, 'apps.v1.Deployment', ({ spec }) => spec?.template);
    default:
      // The annotations that count are those of the job template.
      return read<CronJob>(object, 'batch.v1.CronJob', ({ spec: { jobTemplate: job } = {} }) => ({
        ...(job?.metadata && { metadata: job.metadata }),
        ...(job?.spec?.template?.spec && { spec: job.spec.template.spec }),
      }));
  }
}

interface Workload {
  readonly spec?: { readonly template?: Templated };
}

interface CronJob {
  readonly spec?: { readonly jobTemplate?: JobTemplate };
}

interface JobTemplate extends Workload {
  readonly metadata?: NonNullable<Templated['metadata']>;
}

function read<Typed>(
  object: JsonObject,
  struct: WorkloadStruct,
  podOf: (typed: Typed) => Templated | undefined,
): Pod | string {
  const typed = readWorkload(goTypesMinor, struct, object);
  if (typed.object === undefined) return typed.error ?? '';
  const template = podOf(typed.object as Typed);
  return makePod(template?.metadata?.annotations ?? {}, template?.spec ?? {});
}

/** A pod of annotations and a `spec`. */
export function makePod(annotations: Readonly<Record<string, string>>, spec: PodSpec): Pod {
  const placed = (list: 'initContainers' | 'containers' | 'ephemeralContainers') =>
    (spec[list] ?? []).map((container, at) => {
      const path = `spec.${list}[${at}]`;
      return { path, contextPath: `${path}.securityContext`, container };
    });
  return {
    annotations,
    spec,
    containers: [
      ...placed('initContainers'),
      ...placed('containers'),
      ...placed('ephemeralContainers'),
    ],
  };
}
