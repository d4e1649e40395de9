import type { Type } from '@kubeadmit/cel';
import { phrases, type Random, words } from '@kubeadmit/random';
import { bytesLiteral, stringLiteral } from './quoted.ts';

// The leaves of random expressions: ordinary values and edge cases of each type.

const booleans = ['true', 'false'];

const ints = [
  ...['0', '1', '-1', '2', '3', '7', '12', '100', '0x1F', '-0x10', '007', '1000', '123456789'],
  ...['9223372036854775807', '-9223372036854775808', '9007199254740993', '-9007199254740992'],
  ...['4294967296', '253402300799', '-62135596801', '9223372036', '3600000000000'],
];

const uints = ['0u', '1u', '2U', '42u', '0xFFu', '18446744073709551615u', '9223372036854775808u'];

const doubles = [
  ...['0.0', '1.0', '-2.5', '1e100', '1.5', '-0.0', '.5', '1e-7', '2.0', '0.1', '3.0', '1e15'],
  ...['double("NaN")', 'double("Infinity")', 'double("-inf")', '1.7976931348623157e308', '5e-324'],
  ...['9223372036854775807.0', '9007199254740993.0', '123456.789', '1e21', '-1e-320', '2.5e2'],
];

const timestamps = words(
  'timestamp("2023-01-02T03:04:05Z") timestamp("2024-02-29T12:30:45.123456789+02:00")',
  'timestamp("1969-12-31T23:59:59.999999999-11:30") timestamp(0) timestamp(-62135596800)',
  'timestamp(253402300799) timestamp("9999-12-31T23:59:59Z") timestamp("0001-01-01T00:00:00Z")',
  'timestamp("2023-03-12T02:30:00-05:00")',
);

const durations = words(
  'duration("1h") duration("-1.5s") duration("0") duration("106751h")',
  'duration("2562047h47m16.854775807s") duration("1ns") duration("-2540400h10m10s")',
  'duration("1h2m3.004005006s") duration(".5ms") duration("1us") duration("315576000000s")',
);

/** Valid and invalid strings for functions that parse a string. */
export const texts: Readonly<Record<string, readonly string[]>> = {
  quantity: [
    ...['"1"', '"1500m"', '"1Ki"', '"1.5Gi"', '"-2"', '"10E"', '"1e3"', '"5n"', '"0.5"', '"+1"'],
    ...['"1K"', '""', '"9223372036854775807"', '"9223372036854775808"', '"100000000000000000001"'],
    ...['".5"', '"1."', '"0"', '"-1.1Mi"', '"12e-3"', '"1u"', '"0.000000001"', '"50k"'],
  ],
  semver: [
    ...['"1.2.3"', '"1.0.0-rc.1"', '"0.0.1+b.7"', '"v1.2.3"', '"v1.2"', '"1"', '"01.2.3"'],
    ...['"1.2.3-01"', '"1.2.3-a..b"', '"18446744073709551616.0.0"', '"1.2.3-alpha.1+x"', '""'],
  ],
  ip: words(
    '"10.1.2.3" "::1" "2001:db8::1" "::ffff:1.2.3.4" "fe80::1%eth0" "127.0.0.1" "0.0.0.0"',
    '"ff02::1" "169.254.0.1" "10.01.2.3" "2001:DB8::1" "224.0.0.251" ""',
  ),
  cidr: [
    ...['"10.0.0.0/8"', '"10.1.2.3/24"', '"2001:db8::/32"', '"0.0.0.0/0"', '"10.0.0.0/33"'],
    ...['"::ffff:1.2.3.4/100"', '"10.0.0.0"', '"10.0.0.0/08"', '"::1/128"', '""'],
  ],
  url: phrases`
    "https://example.com/a?b=c"  "https://user:p%40w@example.com:8080/a%20b?x=1&y=2&x=3#f"
    "/path"  "https://[::1]:80/"  "mailto:a@b"  "path"  "http://a b/"  "http://h/%zz"
    "http://host:port/"  "ftp://h//x/../y;z"  "https://exämple.com/é?q=ü"  ""
  `,
  timestamp: [
    ...['"2023-01-02T03:04:05Z"', '"2023-01-02T03:04:05.1+05:30"', '"2023-01-02"', '"x"', '""'],
    ...['"2023-02-30T00:00:00Z"', '"2023-01-02t03:04:05z"', '"10000-01-01T00:00:00Z"'],
  ],
  duration: words('"1h" "1h30m5s" "-.5s" "1d" "x" "" "9223372036854775807ns" "3µs"'),
  int: ['"1"', '"-7"', '"+5"', '"0x10"', '"9223372036854775808"', '"1.0"', '""', '"1_0"', '" 1"'],
  uint: ['"1"', '"-7"', '"18446744073709551615"', '"18446744073709551616"', '"+5"', '""'],
  double: words('"1" "1e400" "NaN" "-Inf" "infinity" "0x1p-2" "1_0" ".5" "1." "x"'),
  bool: ['"true"', '"T"', '"0"', '"False"', '"yes"', '"tRUE"', '""'],
  pattern: [
    ...['"a+"', '"[0-9]*"', '"^h.*d$"', '"("', '"(?i)HELLO"', '"\\\\w+"', '"(a|b)*c?"', '""'],
    ...words('"(?P<n>.)" "\\\\pL+" "[[:alpha:]]+" "a{2,3}" "a{1001}" "\\\\b." ".*?x" "[^a-c]"'),
    ...['"(?s).+"', '"x*"', '"\\\\d+|\\\\s"', '"\\\\"', '"[z-a]"', '"(?=a)"', '"🙂?"'],
  ],
  format: phrases`
    "%s"  "%d"  "%f"  "%.2f"  "%e"  "%.0e"  "%x"  "%X"  "%b"  "%o"  "%s-%s"  "%%"  "%"  "%z"
    "%.3s"  "a%sb%d"  "%.12f"  "%.1001f"  "%d%%%s"  "é%s🙂"  ""  "%s|%d|%f"  "%.0f"  "%.20e"
    "%5d"  "%.-1f"  "%.f"  "%s %s %s"  "%.17f"  "%-s"
  `,
  zone: [
    ...words('"UTC" "America/New_York" "+05:30" "-02:00" "Nope/Zone" "" "Local" "02:00"'),
    ...words('"Europe/Berlin" "Asia/Kolkata" "America/St_Johns" "+24:00" "-1:5" "Z" "utc"', '".."'),
  ],
  formatName: words(
    '"dns1123Label" "dns1123Subdomain" "uri" "uuid" "byte" "date" "datetime" "qualifiedName"',
    '"labelValue" "dns1035Label" "dns1123LabelPrefix" "nope"',
  ),
  json: ['"a/b~c"', '"~0"', '"/"', '""', '"é"'],
};

/** Which of {@link texts} the text arguments of a function are taken from. */
export const textsOf: Readonly<Record<string, string>> = {
  quantity: 'quantity',
  isQuantity: 'quantity',
  semver: 'semver',
  isSemver: 'semver',
  ip: 'ip',
  isIP: 'ip',
  'ip.isCanonical': 'ip',
  containsIP: 'ip',
  cidr: 'cidr',
  isCIDR: 'cidr',
  containsCIDR: 'cidr',
  url: 'url',
  isURL: 'url',
  timestamp: 'timestamp',
  duration: 'duration',
  int: 'int',
  uint: 'uint',
  double: 'double',
  bool: 'bool',
  matches: 'pattern',
  find: 'pattern',
  findAll: 'pattern',
  format: 'format',
  'format.named': 'formatName',
  'jsonpatch.escapeKey': 'json',
};

/** A type as a value. */
const types = [
  ...['int', 'string', 'list', 'map', 'null_type', 'net.IP', 'net.CIDR', 'type', 'bool', 'double'],
  ...['google.protobuf.Timestamp', 'google.protobuf.Duration', 'optional_type', 'bytes', 'uint'],
  ...['kubernetes.Quantity', 'kubernetes.URL', 'kubernetes.Semver', 'google.protobuf.Any', 'dyn'],
];

/** A text for a value of a type that can be written without an operand. */
export function leaf(random: Random, type: Type): string {
  switch (type.kind) {
    case 'bool':
      return random.pick(booleans);
    case 'int':
      return random.chance(0.4) ? String(random.below(6)) : random.pick(ints);
    case 'uint':
      return random.pick(uints);
    case 'double':
      return random.pick(doubles);
    case 'string':
      return stringLiteral(random);
    case 'bytes':
      return bytesLiteral(random);
    case 'timestamp':
      return random.pick(timestamps);
    case 'duration':
      return random.pick(durations);
    case 'null':
      return 'null';
    case 'type':
      return random.pick(types);
    case 'list':
      return random.chance(0.3) ? '[]' : `[${leaf(random, elementOf(type))}]`;
    case 'map':
      return random.chance(0.3)
        ? '{}'
        : `{${leaf(random, elementOf(type))}: ${leaf(random, elementOf(type, 1))}}`;
    default:
      return opaqueLeaf(random, type);
  }
}

function opaqueLeaf(random: Random, type: Type): string {
  switch (type.name) {
    case 'kubernetes.Quantity':
      return `quantity(${random.pick(texts['quantity'] ?? [])})`;
    case 'kubernetes.Semver':
      return random.chance(0.2)
        ? `semver(${random.pick(texts['semver'] ?? [])}, true)`
        : `semver(${random.pick(texts['semver'] ?? [])})`;
    case 'kubernetes.URL':
      return `url(${random.pick(texts['url'] ?? [])})`;
    case 'net.IP':
      return `ip(${random.pick(texts['ip'] ?? [])})`;
    case 'net.CIDR':
      return `cidr(${random.pick(texts['cidr'] ?? [])})`;
    case 'kubernetes.NamedFormat':
      return 'format.dns1123Label()';
    case 'optional_type':
      return random.chance(0.3)
        ? 'optional.none()'
        : `optional.of(${leaf(random, elementOf(type))})`;
    default:
      return random.pick(ints);
  }
}

/** A parameter of a type; the type itself where it has none. */
export function elementOf(type: Type, index: number = 0): Type {
  return type.parameters[index] ?? type;
}
