import { member, memberObjects, memberText } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { quote } from '@kubeadmit/go';
import { placedContainers } from './container-warnings.ts';

interface PlacedPort {
  readonly path: string;
  readonly name: string;
  readonly port: number;
  readonly hostPort: number;
  readonly protocol: string;
  readonly hostIp: string;
}

/** Returns warnings about ports that conflict with others of the pod, and about names that occur twice. */
export function portWarnings(spec: unknown, path: string): readonly string[] {
  const ports = placedContainers(spec, path).flatMap((placed) =>
    memberObjects(placed.container, 'ports').map(
      (port, at): PlacedPort => ({
        path: `${placed.path}.ports[${at}]`,
        name: memberText(port, 'name'),
        port: Number(member(port, 'containerPort') ?? 0),
        hostPort: Number(member(port, 'hostPort') ?? 0),
        protocol: memberText(port, 'protocol'),
        hostIp: memberText(port, 'hostIP'),
      }),
    ),
  );
  return [...conflictWarnings(ports), ...nameWarnings(ports)];
}

function conflictWarnings(ports: readonly PlacedPort[]): readonly string[] {
  const known = new Map<string, PlacedPort[]>();
  return ports.flatMap((port) => {
    const others = getOrMake(known, `${port.port}/${port.protocol}`, () => []);
    const warnings = others.flatMap((other) => {
      const kind = conflictOf(port, other);
      return kind === undefined ? [] : [`${port.path}: ${kind} port definition with ${other.path}`];
    });
    others.push(port);
    return [...hostWarnings(port), ...warnings];
  });
}

function conflictOf(port: PlacedPort, other: PlacedPort): string | undefined {
  if (port.hostIp === other.hostIp && port.hostPort === other.hostPort) return 'duplicate';
  if (port.hostPort === 0 || other.hostPort === 0) return 'overlapping';
  const isOneOpen = (port.hostIp === '') !== (other.hostIp === '');
  return port.hostPort === other.hostPort && isOneOpen ? 'dangerously ambiguous' : undefined;
}

/** Go prints the struct of the port. */
function hostWarnings({
  path,
  name,
  port,
  hostPort,
  protocol,
  hostIp,
}: PlacedPort): readonly string[] {
  if (hostIp === '' || hostPort !== 0) return [];
  return [
    `${path}: hostIP set without hostPort: {Name:${name} HostPort:0 ContainerPort:${port} Protocol:${protocol} HostIP:${hostIp}}`,
  ];
}

function nameWarnings(ports: readonly PlacedPort[]): readonly string[] {
  const known = new Map<string, string>();
  return ports.flatMap(({ name, path }) => {
    if (name === '') return [];
    const other = known.get(name);
    if (other === undefined) {
      known.set(name, path);
      return [];
    }
    return [
      `${path}: duplicate port name ${quote(name)} with ${other}, services and probes that select ports by name will use ${other}`,
    ];
  });
}
