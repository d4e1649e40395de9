import type { Type } from '@kubeadmit/cel';

const names: ReadonlyMap<string, string> = new Map([
  ['google.protobuf.Timestamp', 'timestamp'],
  ['google.protobuf.Duration', 'duration'],
  ['google.protobuf.Any', 'any'],
  ['null_type', 'null'],
  ['optional_type', 'optional'],
  ['kubernetes.AdmissionRequest', 'AdmissionRequest'],
  // Kyverno's values whose functions ask for data are called as the variables that hold them.
  ['resource.Context', 'resource'],
  ['http.Context', 'http'],
  ['imagedata.Context', 'image'],
  ['globalcontext.Context', 'globalContext'],
  ['json.Json', 'json'],
  ['yaml.Yaml', 'yaml'],
  ['kyverno.image', 'imageReference'],
]);

/** A type for people: `list(Container)`, `map(string, int)`. */
export function typeLabel(type: Type): string {
  if (type.kind === 'param') return 'any';
  const name = names.get(type.name) ?? shortName(type);
  return type.parameters.length === 0
    ? name
    : `${name}(${type.parameters.map(typeLabel).join(', ')})`;
}

function shortName({ kind, name }: Type): string {
  if (kind !== 'struct' && kind !== 'opaque') return name;
  if (name.startsWith('self:'))
    return (
      name
        .split('.')
        .at(-1)
        ?.replace(/^self:/, '') ?? name
    );
  // `example.com/v1.Widget.spec` keeps its way; `core.v1.PodSpec` has none.
  const custom = /\/[^.]+\.(.+)$/.exec(name)?.[1];
  return custom ?? name.split('.').at(-1) ?? name;
}
