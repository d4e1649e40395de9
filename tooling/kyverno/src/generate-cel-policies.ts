import { phrases, type Random, words } from '@kubeadmit/random';
import { type Made, resource } from './generate-resource.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const references = [
  ...words('nginx nginx:1 ghcr.io/a/b:v1 localhost:5000/xy a/b/c/d:e docker.io/library/xy'),
  ...[`xy@${digest}`, `r.io/xy:1@${digest}`, `r.io/xy:-@${digest}`, `xy:@${digest}`],
  ...['A/b', '', ' x'],
  ...words(
    'xy: xy@ x:y:z r.io:99999/xy r.io:/xy r.io:a/xy é r.io/xy:TAG_1 -x x xy/ /xy',
    'index.docker.io/xy docker.io/a/b r.io//xy xn--a.io/b/c 127.0.0.1/xy [::1]:80/xy [::1]/xy',
    'r.io/xy@sha256:ab r.io/xy@md5:0 X.io/yy a_b.io/xy a@b/xy r.io/XY r.io/a..b r.io/a__b:1.0-x',
  ),
  `r.io/xy@sha512:${'0'.repeat(128)}`,
  ...phrases`
    localhost/xy  a.b  .io/xy  a b.io/xy  r.io%41/xy  u:p@r.io/xy  r.io?x/xy  r.io#x/xy
  `,
  `${'a'.repeat(256)}`,
];
const documents = [
  ...words('{"a":1} [1,2.5,"x",null] {"a":{"b":[true]}} 1 "x" null'),
  '',
  ...phrases`{  [1,]  1 2  {"a":1,"a":2}  {"a":9007199254740993}  1e400  {"a":1.0}  -0`,
  ' {"b" : 1 } ',
  '{"é":"<>&"}',
];
const yamls = [
  'a: 1',
  'a: yes',
  '- 1\n- 2',
  ...phrases`a: {b: [1, 2]}  a: 1.0  a: 0x1F  a: 2024-01-02`,
  '',
  ...phrases`a: b: c  a: ~  x  1`,
  ...['a: 1\na: 2', '&x [*x]', 'a: !!str 1', '"\\u00e9"', '---\na: 1\n---\nb: 2'],
  ...['on: off'],
];
const patterns = [
  ...words('a (a)(b)? [0-9]+ ( ^'),
  '',
  ...phrases`x*  (?i)NGINX  (\\w+):(\\w+)  \\d  (a|b)  (?P<n>a)`,
];
const replacements = ['x', '\\\\1', '\\\\0', '\\\\2-\\\\1', '$1', '', '\\\\9', '\\\\', '\\\\\\\\'];

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

/** A text of the object, or one that is given. */
function text(random: Random): string {
  return random.pick<() => string>([
    () => 'object.metadata.name',
    () => "object.metadata.?namespace.orValue('none')",
    () => "object.metadata.?labels['app'].orValue('no app')",
    () => "object.?spec.?containers[?0].?image.orValue('nginx')",
    () => quoted(random.pick(references)),
    () => quoted(random.pick(documents)),
  ])();
}

const dynamic: readonly ((random: Random) => string)[] = [
  (random) =>
    `json.unmarshal(${random.chance(0.8) ? quoted(random.pick(documents)) : text(random)})`,
  (random) =>
    `json.marshal(${random.pick(['object.metadata', 'object', '[1, 2.5]', "{'a': dyn(1), 'b': dyn(null)}", "'<&>'", '1.0', 'dyn(null)', "{'z': 1, 'a': 2}", 'object.metadata.labels', '[object.metadata.name]', '3u', "b'ab'", "duration('1h')", "timestamp('2024-01-02T03:04:05Z')"])})`,
  (random) => `yaml.parse(${random.chance(0.8) ? quoted(random.pick(yamls)) : text(random)})`,
  (random) => `json.unmarshal(${quoted(random.pick(documents))}).a`,
  (random) => `yaml.parse(${quoted(random.pick(yamls))}).a`,
];

const texts: readonly ((random: Random) => string)[] = [
  (random) => {
    const part = random.pick(
      words('registry repository identifier tag digest identifierWithSeparator'),
    );
    const given = random.chance(0.8) ? quoted(random.pick(references)) : text(random);
    return `${random.pick(['image', 'parseImageReference'])}(${given}).${part}()`;
  },
  (random) => `string(image(${quoted(random.pick(references))}).containsDigest())`,
  (random) =>
    `string(isImage(${random.chance(0.8) ? quoted(random.pick(references)) : text(random)}))`,
  (random) => `hash.${random.pick(['sha1', 'sha256', 'md5'])}(${text(random)})`,
  (random) => `${random.pick(['sha1', 'sha256', 'md5'])}(${text(random)})`,
  (random) =>
    `regex.replace(${text(random)}, '${random.pick(patterns)}', '${random.pick(replacements)}'${random.pick(['', '', ', 1', ', 0', ', -1'])})`,
  (random) => `regex.extract(${text(random)}, '${random.pick(patterns)}').orValue('none')`,
  (random) => `regex.extractAll(${text(random)}, '${random.pick(patterns)}').join('|')`,
  (random) =>
    `string(math.round(${random.pick(['1.5', '2.345', '-0.5', '1e20', '0.0'])}, ${random.pick(['0', '1', '2', '-1', '20'])}))`,
  (random) =>
    `string(user.parseServiceAccount('${random.pick(['system:serviceaccount:ns:sa', 'alice', 'system:serviceaccount:a', 'system:serviceaccount:a:b:c', ''])}').${random.pick(['Name', 'Namespace'])})`,
  (random) =>
    `string(parseServiceAccount('${random.pick(['system:serviceaccount:ns:sa', 'alice', 'system:serviceaccount:a:b:c'])}').${random.pick(['Name', 'Namespace'])})`,
  (random) =>
    `time.toCron(timestamp('${random.pick(['2024-01-02T03:04:05Z', '2024-02-29T23:59:59+05:00', '1970-01-01T00:00:00Z'])}'))`,
  (random) =>
    `string(time.truncate(timestamp('${random.pick(['2024-01-02T03:04:05Z', '2024-02-29T23:59:59.5Z'])}'), duration('${random.pick(['1h', '24h', '7m', '0s', '-1h', '1ns'])}')))`,
  (random) =>
    `string(size(listObjToMap(${random.pick(['[{"k": "a"}]', '[{"n": "x", "v": 1}, {"n": "y", "v": 2}]', '[]'])}, [{"n": "a"}], "n", "v")))`,
  (random) => `'%s'.format([${random.pick(dynamic)(random)}])`,
  (random) => `string(${random.pick(dynamic)(random)})`,
  (random) => `string(type(${random.pick(dynamic)(random)}))`,
  (random) => `json.marshal(${random.pick(dynamic)(random)})`,
  (random) =>
    `'%s'.format([${random.pick(['object.metadata', 'object.spec', 'object', 'oldObject', 'request', 'namespaceObject', 'variables.a', 'variables.b', 'request.operation', 'request.namespace', 'dyn(request.kind)', 'request.userInfo'])}])`,
  (random) =>
    `string(${random.pick(['variables.a', 'variables.b', 'size(variables.a)', 'type(object) == map', 'has(object.spec)', 'object == oldObject', 'oldObject == null', 'namespaceObject == null'])})`,
  (random) => `string(gzip.decompress(b${text(random).startsWith("'") ? text(random) : "'x'"}))`,
  (random) =>
    `string(quantity(${random.pick(["'1Gi'", "'x'", text(random)])}).isGreaterThan(quantity('1Mi')))`,
  (random) => text(random),
];

function textExpression(random: Random): string {
  return random.pick(texts)(random);
}

function condition(random: Random): string {
  return random.pick<() => string>([
    () => 'true',
    () => `${textExpression(random)} != ''`,
    () => `${textExpression(random)} == ${textExpression(random)}`,
    () => `object.metadata.name.startsWith('w')`,
    () => 'object.spec.nope == 1',
    () => '1 / 0 == 1',
    () => `object.kind == 'Pod' || true`,
    () => 'variables.a != variables.b',
  ])();
}

const resources = {
  apiGroups: ['*'],
  apiVersions: ['*'],
  operations: ['CREATE', 'UPDATE'],
  resources: words(
    'pods deployments configmaps secrets namespaces services cronjobs daemonsets',
    'statefulsets',
  ),
};

/** Returns a ValidatingPolicy that reports the results of Kyverno's functions for objects and unusual strings. */
export function generateCelPolicy(random: Random, name: string): Made {
  const pods = { ...resources, apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
  const match = random.pick([resources, resources, pods, { ...resources, resources: ['*'] }]);
  return {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'ValidatingPolicy',
    metadata: { name },
    spec: {
      validationActions: [random.pick(['Deny', 'Audit', 'Warn'])],
      matchConstraints: { resourceRules: [match] },
      ...random.some({
        matchConditions: [
          0.2,
          () => [
            {
              name: 'c',
              expression: random.chance(0.7)
                ? 'true'
                : condition(random).replaceAll('variables', 'object'),
            },
          ],
        ],
        auditAnnotations: [0.1, () => [{ key: 'k', valueExpression: textExpression(random) }]],
        failurePolicy: [0.2, () => random.pick(['Fail', 'Ignore'])],
      }),
      variables: [
        { name: 'a', expression: random.chance(0.7) ? "'a'" : random.pick(dynamic)(random) },
        {
          name: 'b',
          expression: random.chance(0.5)
            ? 'variables.a'
            : textExpression(random).replaceAll('variables', 'object'),
        },
      ],
      validations: random.list(1, 2, (at) =>
        at === 0 && random.chance(0.8)
          ? {
              expression: random.chance(0.3) ? condition(random) : 'false',
              messageExpression: textExpression(random),
            }
          : {
              expression: condition(random),
              ...random.some({
                message: [0.5, () => random.pick(['m', '', ' m ', 'a\nb'])],
                messageExpression: [0.4, () => textExpression(random)],
              }),
            },
      ),
    },
  };
}

/** Objects of different names. */
export function generateObjects(random: Random, count: number): Made[] {
  return Array.from({ length: count }, (_, at) => {
    const object = resource(random);
    const metadata = object['metadata'] as Made;
    const { generateName: _name, ...rest } = metadata;
    const namespace =
      object['kind'] === 'Namespace' ? {} : { namespace: rest['namespace'] ?? 'default' };
    return { ...object, metadata: { ...rest, ...namespace, name: `o${at}` } };
  });
}
