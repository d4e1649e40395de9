import { compareText, formatFloat64, quote, stringifyJson, timeSyntax } from '@kubeadmit/go';
import type { Shape } from './shape.ts';
import { bytesOf, goFields, inlined, type Members, quantityParts } from './struct-text.ts';
import type { Field, TypeStore } from './type-store.ts';

/**
 * Prints a value as Go's `%#v` prints kube-apiserver's internal value: as `structText`, with the names of types and
 * fields. Go prints the address of a pointer, here that is `0x…`.
 */
export function structSyntax(types: TypeStore, shape: Shape, value: unknown): string {
  const { kind, go, pointer } = shape;
  const isTime = kind === 'time' || kind === 'microtime';
  if (pointer && value === undefined) return isTime ? '<nil>' : `(*${go})(nil)`;
  if (pointer && !isTime) return `(*${go})(0x…)`;
  switch (kind) {
    case 'bytes':
    case 'list':
    case 'map':
      return value === undefined ? `${go}(nil)` : containerSyntax(types, shape, value);
    case 'struct': {
      const fields = types.get(shape.struct as string)?.fields ?? [];
      return fieldsSyntax(types, { fields, go, value: (value ?? {}) as Members, depth: 0 });
    }
    case 'string':
      return quote((value as string | undefined) ?? '');
    case 'float64':
      return formatFloat64(Number(value ?? 0));
    case 'time':
    case 'microtime':
      return timeOf(value as string | undefined);
    case 'quantity':
      return quantitySyntax(value as string | undefined);
    case 'intorstring':
      return typeof value === 'string'
        ? `${go}{Type:1, IntVal:0, StrVal:${quote(value)}}`
        : `${go}{Type:0, IntVal:${value ?? 0}, StrVal:""}`;
    case 'any': {
      const raw = value && bytesSyntax('[]uint8', new TextEncoder().encode(stringifyJson(value)));
      return `${go}{Raw:${raw ?? '[]uint8(nil)'}, Object:runtime.Object(nil)}`;
    }
    default:
      return String(value ?? (kind === 'bool' ? false : 0));
  }
}

function containerSyntax(types: TypeStore, shape: Shape, value: unknown): string {
  const { kind, go } = shape;
  if (kind === 'bytes') return bytesSyntax(go, bytesOf(value));
  const print = (inner: unknown): string => structSyntax(types, shape.element as Shape, inner);
  const texts = Array.isArray(value)
    ? value.map(print)
    : Object.entries(value as Members)
        .sort(([a], [b]) => compareText(a, b))
        .map(([key, member]) => `${quote(key)}:${print(member)}`);
  return `${go}{${texts.join(', ')}}`;
}

function bytesSyntax(go: string, bytes: Iterable<number>): string {
  return `${go}{${Array.from(bytes, (byte) => `0x${byte.toString(16)}`).join(', ')}}`;
}

function quantitySyntax(text: string = ''): string {
  const [number, scale, form] = text === '' ? [0, 0, ''] : quantityParts(text);
  return `resource.Quantity{i:resource.int64Amount{value:${number}, scale:${scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"${text}", Format:"${form}"}`;
}

function timeOf(text: string = ''): string {
  const [year = 1, month = 1, day = 1, hour = 0, minute = 0, second = 0] =
    text.match(/\d+/g)?.map(Number) ?? [];
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const zone = text === '' ? 'time.UTC' : 'time.Local';
  const time = { year, month, day, hour, minute, second };
  return timeSyntax(time, Number(fraction.padEnd(9, '0')), zone);
}

interface Part {
  readonly fields: readonly Field[];
  readonly go: string;
  readonly value: Members;
  readonly depth: number;
}

function fieldsSyntax(types: TypeStore, { fields, go, value, depth }: Part): string {
  const texts = goFields(fields, depth).map(([field, inner]) => {
    if (inner === undefined) {
      const member = structSyntax(types, field.shape, value[field.name] ?? undefined);
      return `${goName(field)}:${member}`;
    }
    const name = inlined(field, depth) ?? '';
    const own = name === 'TypeMeta' ? `v1.${name}` : go.replace(/\w+$/, name);
    return `${name}:${fieldsSyntax(types, { fields: inner, go: own, value, depth: depth + 1 })}`;
  });
  return `${go}{${texts.join(', ')}}`;
}

const initials =
  /^(?:api|aws|ca|cel|cidr|csi|dns|fc|fs|gce|gid|gmsa|grpc|http|ip|iqn|iscsi|json|nfs|os|pd|pkix|qos|rbd|se(?=Linux)|ssl|tcp|tls|ttl|tty|uid|url|wwid)(?=[A-Z]|s?$)|^./;

/** Names of fields that differ in Go; a few rare ones are omitted. */
const odd: Readonly<Record<string, string>> = {
  cephfs: 'CephFS',
  externalID: 'DoNotUseExternalID',
  lastState: 'LastTerminationState',
  serviceAccount: 'DeprecatedServiceAccount',
  storageos: 'StorageOS',
};

function goName({ name, shape }: Field): string {
  // Metadata are embedded, and have the name of their type.
  if (name === 'metadata') return shape.go.replace('v1.', '');
  return odd[name] ?? name.replace(initials, (start) => start.toUpperCase());
}
