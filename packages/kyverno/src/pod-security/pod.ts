import type { JsonObject } from '@kubeadmit/apimachinery';
import { DecodeError, decodeTyped } from '../go-types/decode.ts';
import type { Shape } from '../go-types/shape.ts';
import { stringField } from '../policy/fields.ts';
import { cronJobShape, podShape, workloadShape } from './pod-shapes.data.ts';

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
  readonly ports?: readonly { readonly hostPort?: number }[];
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
  readonly runAsUser?: number;
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

const workloads: ReadonlySet<string> = new Set([
  'DaemonSet',
  'Deployment',
  'Job',
  'StatefulSet',
  'ReplicaSet',
  'ReplicationController',
]);

/** Where the pod's `spec` stands in an object of a kind; undefined for kinds that make no pods. */
export function podSpecPath(kind: string): string | undefined {
  if (kind === 'Pod') return 'spec';
  if (kind === 'CronJob') return 'spec.jobTemplate.spec.template.spec';
  return workloads.has(kind) ? 'spec.template.spec' : undefined;
}

/** The pod that an object is or makes; a text says why there is none (Kyverno's `getSpec`). */
export function readPod(object: JsonObject): Pod | string {
  const kind = stringField(object, 'kind');
  switch (podSpecPath(kind)) {
    case undefined:
      return 'could not find correct resource type';
    case 'spec':
      return read<Templated>(object, podShape, (pod) => pod);
    case 'spec.template.spec':
      return read<{ spec?: { template?: Templated } }>(
        object,
        workloadShape,
        (workload) => workload.spec?.template,
      );
    default:
      // The annotations that count are those of the job template.
      return read<{ spec?: { jobTemplate?: JobTemplate } }>(object, cronJobShape, (cronJob) => {
        const job = cronJob.spec?.jobTemplate;
        return {
          ...(job?.metadata && { metadata: job.metadata }),
          ...(job?.spec?.template?.spec && { spec: job.spec.template.spec }),
        };
      });
  }
}

interface JobTemplate {
  readonly metadata?: NonNullable<Templated['metadata']>;
  readonly spec?: { readonly template?: Templated };
}

function read<Typed>(
  object: JsonObject,
  shape: Shape,
  podOf: (typed: Typed) => Templated | undefined,
): Pod | string {
  const typed = decodeTyped(object, shape, { sorted: true });
  if (typed instanceof DecodeError) return typed.message;
  const template = podOf(typed as Typed);
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
