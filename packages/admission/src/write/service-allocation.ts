import {
  type FieldError,
  type KubernetesObject,
  member,
  memberList,
  memberText,
} from '@kubeadmit/apimachinery';
import { invalid } from '@kubeadmit/apimachinery/field-errors';
import { deepEqual } from '@kubeadmit/go';
import type { Endpoint } from './endpoint.ts';
import { withMember } from './metadata.ts';

/** The `spec` of a Service. */
export type ServiceSpec = Readonly<Record<string, unknown>>;

/** The addresses and node ports that a service has. */
export interface ServicePlaces {
  /** The cluster IPs. */
  readonly addresses: readonly string[];
  /** The node ports, with that of health checks. */
  readonly ports: readonly number[];
}

/** Addresses are 10.0.X.Y; kube-apiserver has 10.0.0.0/24 by default. */
const addressPrefix = '10.0.';
const addressCount = 65_534;
const firstPort = 30_000;
const lastPort = 32_767;

/** A service that is written. */
export interface ServiceWrite {
  /** The resource or subresource of the request. */
  readonly endpoint: Endpoint;
  /** The new object. */
  readonly object: KubernetesObject;
  /** The object before; undefined for a new one. */
  readonly old: KubernetesObject | undefined;
  /** Whether the write is only tried. */
  readonly isDryRun: boolean;
}

/**
 * Returns a service with the addresses and node ports that the server chooses where no other service has any. Other objects
 * are returned unchanged. Addresses that cannot be had are kept: which ones a cluster has is not known here.
 *
 * @param random chooses among free addresses and ports; a whole number, not negative
 */
export function withFirstAddresses(write: ServiceWrite, random: () => number): KubernetesObject {
  const { endpoint, object, old, isDryRun } = write;
  if (!isServiceWrite(endpoint)) return object;
  const spec = new Allocation([], random).fill(specOf(object), old && specOf(old), isDryRun);
  return withMember(object, 'spec', spec);
}

/** Whether an endpoint is that of services, and not of their subresources. */
export function isServiceWrite({ name, isCustom, subresource }: Endpoint): boolean {
  return !isCustom && name.group === '' && name.name === 'services' && subresource === undefined;
}

/** The addresses and node ports in the spec of a service. */
export function placesOf(spec: ServiceSpec): ServicePlaces {
  return {
    addresses: addressesOf(spec).filter((address) => address !== 'None'),
    ports: portsOf(spec)
      .map(nodePortOf)
      .filter((port) => port !== 0),
  };
}

/** The spec of a service; empty without one. */
export function specOf(service: KubernetesObject): ServiceSpec {
  return (member(service, 'spec') ?? {}) as ServiceSpec;
}

/** No address or node port is free. */
export class RangeFullError extends Error {}

/** Chooses the addresses and node ports of a service (core service `storage.Allocators`). */
export class Allocation {
  /** The errors of the services that were filled so far. */
  readonly errors: FieldError[] = [];
  readonly #addresses: ReadonlySet<string>;
  readonly #ports: Set<number>;
  readonly #random: () => number;

  /** @param random a whole number, not negative */
  constructor(others: readonly ServicePlaces[], random: () => number) {
    this.#addresses = new Set(others.flatMap(({ addresses }) => addresses));
    this.#ports = new Set(others.flatMap(({ ports }) => ports));
    this.#random = random;
  }

  /**
   * Returns the spec of a service with its addresses and ports.
   *
   * @throws RangeFullError if no address or port is free
   */
  fill(spec: ServiceSpec, old: ServiceSpec | undefined, isDryRun: boolean): ServiceSpec {
    if (spec['type'] === 'ExternalName') return asExternalName(spec, old);
    const before = old?.['type'] === 'ExternalName' ? undefined : old;
    const kept = before === undefined ? spec : withKept(spec, before);
    const families = this.#families(kept);
    const addresses = this.#addressesFor(kept, before, isDryRun);
    return {
      ...this.#withHealthCheckPort(this.#withPorts(kept, before, isDryRun), isDryRun),
      clusterIP: addresses[0],
      clusterIPs: addresses,
      ...families,
    };
  }

  #families(spec: ServiceSpec): ServiceSpec {
    const policy = spec['ipFamilyPolicy'] ?? undefined;
    const given = memberList(spec, 'ipFamilies');
    // Without a selector, endpoints come from elsewhere and may be of any family.
    const isOpen =
      memberText(spec, 'clusterIP') === 'None' &&
      Object.keys((spec['selector'] ?? {}) as object).length === 0;
    if (isOpen) {
      const families = given.length > 0 ? given : ['IPv4', 'IPv6'];
      return { ipFamilies: families, ipFamilyPolicy: policy ?? 'RequireDualStack' };
    }
    if (policy === 'RequireDualStack') {
      const why = 'this cluster is not configured for dual-stack services';
      this.errors.push(invalid('spec.ipFamilyPolicy', policy, why));
    }
    for (const [i, family] of given.entries()) {
      if (family === 'IPv4') continue;
      this.errors.push(invalid(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster'));
    }
    return { ipFamilies: ['IPv4'], ipFamilyPolicy: policy ?? 'SingleStack' };
  }

  #addressesFor(
    spec: ServiceSpec,
    before: ServiceSpec | undefined,
    isDryRun: boolean,
  ): readonly unknown[] {
    const had = before === undefined ? [] : addressesOf(before);
    const wanted = addressesOf(spec);
    const [own] = wanted;
    if (own === undefined) return [isDryRun ? `${addressPrefix}0.0` : this.#freeAddress()];
    if (had.length > 0) {
      if (had[0] !== own) {
        this.errors.push(invalid('spec.clusterIPs[0]', wanted, 'may not change once set'));
      }
      return wanted;
    }
    if (own === 'None') return wanted;
    const why = !own.startsWith(addressPrefix)
      ? 'the provided network does not match the current range'
      : this.#addresses.has(own)
        ? 'provided IP is already allocated'
        : undefined;
    if (why !== undefined) {
      this.errors.push(invalid('spec.clusterIPs', wanted, `failed to allocate IP ${own}: ${why}`));
    }
    return wanted;
  }

  #freeAddress(): string {
    const start = this.#random() % addressCount;
    for (let i = 0; i < addressCount; i++) {
      const number = ((start + i) % addressCount) + 1;
      const address = `${addressPrefix}${number >> 8}.${number & 255}`;
      if (!this.#addresses.has(address)) return address;
    }
    throw new RangeFullError('failed to allocate a serviceIP: range is full');
  }

  #withPorts(spec: ServiceSpec, before: ServiceSpec | undefined, isDryRun: boolean): ServiceSpec {
    const hasPorts =
      spec['type'] === 'NodePort' ||
      (spec['type'] === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);
    const had = new Set(before === undefined ? [] : portsOf(before).map(nodePortOf));
    const ports = portsOf(spec).map((port, i) => {
      const given = nodePortOf(port);
      if (given !== 0) {
        if (!had.has(given)) this.#take(given, `spec.ports[${i}].nodePort`);
        return port;
      }
      if (!hasPorts) return port;
      return { ...port, nodePort: isDryRun ? lastPort + 2 + i : this.#freePort() };
    });
    return ports.length === 0 ? spec : { ...spec, ports };
  }

  /** A load balancer that keeps traffic on its node has one more port, for its health check. */
  #withHealthCheckPort(spec: ServiceSpec, isDryRun: boolean): ServiceSpec {
    if (!hasHealthCheck(spec) || Number(spec['healthCheckNodePort'] ?? 0) !== 0) return spec;
    const healthCheckNodePort = isDryRun ? lastPort + 2 + portsOf(spec).length : this.#freePort();
    return { ...spec, healthCheckNodePort };
  }

  #take(port: number, field: string): void {
    const why =
      port < firstPort || port > lastPort
        ? `provided port is not in the valid range. The range of valid ports is ${firstPort}-${lastPort}`
        : this.#ports.has(port)
          ? 'provided port is already allocated'
          : undefined;
    if (why !== undefined) this.errors.push(invalid(field, port, why));
    this.#ports.add(port);
  }

  #freePort(): number {
    const count = lastPort - firstPort + 1;
    const start = this.#random() % count;
    for (let i = 0; i < count; i++) {
      const port = firstPort + ((start + i) % count);
      if (this.#ports.has(port)) continue;
      this.#ports.add(port);
      return port;
    }
    throw new RangeFullError('failed to allocate a nodePort: range is full');
  }
}

// Fields that an update omits are kept, unless another type has no use for them (`patchAllocatedValues`).
function withKept(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  const hadPorts = before['type'] === 'NodePort' || before['type'] === 'LoadBalancer';
  const hasPorts = spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer';
  const old = portsOf(before);
  const sameAs = (port: ServiceSpec): ServiceSpec | undefined =>
    old.find((each) => each['port'] === port['port'] && each['protocol'] === port['protocol']);
  const ports = portsOf(spec).map((port) => {
    const given = nodePortOf(port);
    const known = sameAs(port);
    const before = known === undefined ? 0 : nodePortOf(known);
    if (hasPorts)
      return given === 0 && hadPorts && before !== 0 ? withNodePort(port, before) : port;
    return given !== 0 && given === before ? withNodePort(port, 0) : port;
  });
  const kept = {
    ...(addressesOf(spec).length === 0 ? { clusterIP: before['clusterIP'] } : {}),
    ...(hasHealthCheck(spec) && hasHealthCheck(before) && !spec['healthCheckNodePort']
      ? { healthCheckNodePort: before['healthCheckNodePort'] }
      : {}),
  };
  return {
    ...withoutUnused(spec, before),
    ...kept,
    ...(ports.length === 0 ? {} : { ports }),
    ipFamilyPolicy: spec['ipFamilyPolicy'] ?? before['ipFamilyPolicy'],
    ipFamilies: spec['ipFamilies'] ?? before['ipFamilies'],
  };
}

/** Omits the fields that a new type has no use for, unless they changed, too (`dropTypeDependentFields`). */
function withoutUnused(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  const loses = (has: (spec: ServiceSpec) => boolean): boolean => has(before) && !has(spec);
  const unused = [
    ...(loses(isLoadBalancer) ? ['allocateLoadBalancerNodePorts', 'loadBalancerClass'] : []),
    ...(loses(hasHealthCheck) ? ['healthCheckNodePort'] : []),
    ...(loses(isAccessible) ? ['externalTrafficPolicy'] : []),
  ].filter((name) => deepEqual(spec[name], before[name]));
  if (unused.length === 0) return spec;
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !unused.includes(name)));
}

function isLoadBalancer(spec: ServiceSpec): boolean {
  return spec['type'] === 'LoadBalancer';
}

function hasHealthCheck(spec: ServiceSpec): boolean {
  return isLoadBalancer(spec) && spec['externalTrafficPolicy'] === 'Local';
}

/** Whether a service can be reached from outside of the cluster. */
function isAccessible(spec: ServiceSpec): boolean {
  if (isLoadBalancer(spec) || spec['type'] === 'NodePort') return true;
  return spec['type'] === 'ClusterIP' && memberList(spec, 'externalIPs').length > 0;
}

function withNodePort(port: ServiceSpec, nodePort: number): ServiceSpec {
  const { nodePort: _, ...rest } = port;
  return nodePort === 0 ? rest : { ...rest, nodePort };
}

const ofCluster: ReadonlySet<string> = new Set([
  'clusterIP',
  'clusterIPs',
  'ipFamilies',
  'ipFamilyPolicy',
  'internalTrafficPolicy',
]);

// A service that becomes an ExternalName gives up its addresses and node ports.
function asExternalName(spec: ServiceSpec, old: ServiceSpec | undefined): ServiceSpec {
  if (old === undefined || old['type'] === 'ExternalName') return spec;
  const used = withoutUnused(spec, old);
  const kept = Object.entries(used).filter(([name]) => !ofCluster.has(name));
  const ports = portsOf(spec).map((port) => withNodePort(port, 0));
  return { ...Object.fromEntries(kept), ...(ports.length === 0 ? {} : { ports }) };
}

function addressesOf(spec: ServiceSpec): readonly string[] {
  const all = memberList(spec, 'clusterIPs').map(String);
  const first = memberText(spec, 'clusterIP');
  return all.length > 0 && (first === '' || first === all[0]) ? all : first === '' ? [] : [first];
}

function portsOf(spec: ServiceSpec): readonly ServiceSpec[] {
  return memberList(spec, 'ports') as readonly ServiceSpec[];
}

function nodePortOf(port: ServiceSpec): number {
  return Number(port['nodePort'] ?? 0);
}
