/** The parts of a pod that the Pod Security Standards look at, typed as in Go. */
export interface Pod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  /** All containers in the order in which checks visit them. */
  readonly containers: readonly PlacedContainer[];
}

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
  readonly hostUsers?: boolean;
  readonly runtimeClassName?: string;
  readonly os?: { readonly name?: string };
  readonly securityContext?: SecurityContext;
  readonly volumes?: readonly Volume[];
  readonly initContainers?: readonly Container[];
  readonly containers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
}

/** A volume: its name, and its sources by name. */
export interface Volume {
  readonly name?: string;
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

/** Returns a pod with its annotations and `spec`. */
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
