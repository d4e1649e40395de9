import type { Type } from '@kubeadmit/cel';
import { phrases, Random } from '@kubeadmit/random';
import { elementOf, leaf, texts, textsOf } from './generate/leaves.ts';
import { type Signature, signatures } from './generate/signatures.ts';

const versions = Array.from({ length: 8 }, (_, index) => `1.${30 + index}`);

/** Features other than functions that exist only in some versions. */
const others = [
  ...phrases`
    optional.of(1).optMap(x, x + 1)  optional.of(1).optFlatMap(x, optional.of(x))  {"a": 1}.?a
    {"a": 1}[?"a"]  [?optional.of(1)]  {?"a": optional.of(1)}  [1].all(i, v, v > i)
    [1].exists(i, v, v > i)  [1].existsOne(i, v, v > i)  [1].exists_one(i, v, v > i)
    [1].existsOne(v, v > 0)  [1].transformList(i, v, v)  [1].transformList(i, v, v > 0, v)
    [1].transformMap(i, v, v)  [1].transformMap(i, v, v > 0, v)
    [1].transformMapEntry(i, v, {v: i})  [1].transformMapEntry(i, v, v > 0, {v: i})
    [2, 1].sortBy(x, -x)  cel.bind(x, 1, x)  cel.block([1], 1)  math.greatest(1, 2)  math.abs(-1)
    base64.encode(b"a")  regex.replace("a", "a", "b")  "a".reverse()  1 < 2.0  1u >= 1
    type(ip("::1")) == net.IP  type(cidr("::1/128")) == net.CIDR  net.IP  kubernetes.Quantity
    optional_type
  `,
  '{"a-b": 1}.`a-b`',
  ...phrases`
    [1, "a"]  {"a": 1, 2: 3}  duration("x")  timestamp("x")  "a".matches("(")  "%d".format(["a"])
    has({"a": 1}.a)
  `,
];

/** Every function, in every version whose servers are known. */
export function* versionCases(): Generator<{
  readonly expression: string;
  readonly kubernetesVersion: string;
}> {
  const calls = signatures.filter(({ name }) => /^[\w.]+$/.test(name)).map(callOf);
  for (const expression of new Set([...calls, ...others])) {
    for (const kubernetesVersion of versions) yield { expression, kubernetesVersion };
  }
}

function callOf(signature: Signature): string {
  const text = callText(signature, argumentsOf(signature));
  // A named format would print the address of a function.
  return /NamedFormat/.test(`${signature.result}`) ? `type(${text})` : text;
}

export function argumentsOf({ name, member, parameters }: Signature): string[] {
  return parameters.map((type, index) => argument(name, type, member && index === 0));
}

/** The call with arguments, the receiver among them. */
export function callText({ name, member }: Signature, values: readonly string[]): string {
  const [first = '', ...rest] = values;
  return member ? `${first}.${name}(${rest.join(', ')})` : `${name}(${values.join(', ')})`;
}

function argument(name: string, type: Type, isReceiver: boolean): string {
  const hints = texts[textsOf[name] ?? (name.startsWith('get') ? 'zone' : '')];
  switch (type.kind) {
    case 'string':
      return isReceiver && name !== 'format' ? '"b,a"' : (hints?.[0] ?? '"a"');
    case 'int':
      return isReceiver ? '(3)' : '1';
    case 'list':
      return `[${argument('', elementOf(type), false)}]`;
    case 'param':
    case 'dyn':
      return '1';
    default:
      return leaf(new Random(3), type);
  }
}
