import { words } from '@kubeadmit/random';
import type { Draw } from './draw.ts';

function octet(draw: Draw): string {
  return draw.pick([
    ...words('0 1 10 127 224 169 254 255 192 168'),
    draw.pick(['256', '01', '', draw.digits(3)]),
  ]);
}

function ipv4(draw: Draw): string {
  return Array.from({ length: draw.pick([4, 4, 4, 4, 4, 4, 4, 3, 5]) }, () => octet(draw)).join(
    '.',
  );
}

function group(draw: Draw): string {
  const random = draw.many(4, () => draw.pick([...'0123456789abcdefABCDEF']));
  return draw.pick([
    ...words('0 0 0 1 fe80 FF02 ffff 00a 2001 db8'),
    draw.pick(['abcde', '', 'g', random]),
  ]);
}

function ipv6(draw: Draw): string {
  const size = draw.pick([8, 8, 8, 7, 9, 6, 3, 2]);
  const groups = Array.from({ length: size }, () => group(draw)).join(':');
  switch (draw.below(4)) {
    case 0:
      return groups;
    case 1:
      return `::${groups}`;
    case 2:
      return groups.replace(':', '::') + draw.pick(['', '', `:${ipv4(draw)}`, '%eth0', '%']);
    default:
      return draw.pick([
        ...words(':: ::1 fe80::1 2001:db8::68 ff02::1'),
        `::ffff:${ipv4(draw)}`,
        '64:ff9b::1.2.3.4',
        '1::',
      ]);
  }
}

function address(draw: Draw): string {
  return draw.mutate(draw.chance(0.5) ? ipv4(draw) : ipv6(draw));
}

function prefix(draw: Draw): string {
  const length = draw.pick([
    ...words('0 8 9 16 24 32 64'),
    draw.pick(['33', '128', '129', '08', '+8', '', draw.digits(20)]),
  ]);
  const base = draw.pick([
    ...words('10.0.0.0 10.1.0.0 10.1.2.3 192.168.0.1 2001:db8:: :: 2001:db8:0:1::1'),
    address(draw),
  ]);
  return draw.mutate(`${base}/${length}`);
}

/** Calls of the functions on addresses and networks. */
export function networkFamily(draw: Draw): string {
  const text = draw.rarelyWrong(draw.value(address(draw)));
  const network = `cidr(${draw.rarelyWrong(draw.value(prefix(draw)))})`;
  const ip = (): string => `ip(${draw.value(address(draw))})`;
  const test = draw.pick(
    words(
      'isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast family',
    ),
  );
  const call = draw.pick([
    () => `ip(${text})`,
    () => `string(ip(${text}))`,
    () => `isIP(${text})`,
    () => `ip.isCanonical(${text})`,
    () => `ip(${text}).${test}()`,
    () => `ip(${text}).${test}()`,
    () => `ip(${text}) == ${ip()}`,
    () => network,
    () => `string(${network})`,
    () => `isCIDR(${draw.value(prefix(draw))})`,
    () => `${network}.containsIP(${ip()})`,
    () => `${network}.containsIP(${draw.value(address(draw))})`,
    () => `${network}.containsCIDR(cidr(${draw.value(prefix(draw))}))`,
    () => `${network}.containsCIDR(${draw.value(prefix(draw))})`,
    () => `${network}.masked()`,
    () => `${network}.prefixLength()`,
    () => `${network}.ip()`,
    () => `${network} == cidr(${draw.value(prefix(draw))})`,
    () => `dyn(${network}) == ${draw.rarelyWrong(ip())}`,
  ]);
  return call();
}
