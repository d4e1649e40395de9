import { conditionOperators } from '@kubeadmit/kyverno/unstable-internal';
import { phrases, type Random, words } from '@kubeadmit/random';

const operators = [...conditionOperators, 'Equal', 'NotEqual'];
const oddOperators = [
  ...words('equals ANYIN greaterthan durationLessThan Nope'),
  '',
  'DURATIONGREATERTHAN',
];

const texts = [
  '',
  ...phrases`
    a  b  abc  dev  prod  a*  *  ?  ?*  we?  nginx:1.2  nginx:*  *:latest  0  1  5  10  100  -1
    1.0  1.1  1.10  1.5  1e3  1e6  1000000  1_000  0x10  inf  nan  +5  -0  .5  5.  1Gi  1024Mi
    512Mi  2Gi  1Ki  1024  100m  0.1  1k  500u  9223372036854775807  9223372036854775808  1E  1h
    60m  3600s  90s  1h30m  0s  -5m  1d  1.5h  1ms  9999999999h  1.2.3  1.20.0  1.9.0  1.20.0-rc.1
    v1.2.3  1.2  1.2.3+b  01.2.3  1-10  5-7  0-2  512Mi-2Gi  1h-3h  -5-5  10!-20  1.5-2.5  >5  <=3
    !a  a | b  a & b  ["a","b"]  ["a",null]  ["1","5"]  []  null  true  false  123  {}  {"a":1}
    "a"  [1,2]  [  é  日本*
  `,
  ' 5',
  '5 ',
  ...words('m k + Mi 1Mi5'),
];
const numbers = [
  0, 1, 5, 10, 100, -1, 1.5, 3600, 5400, 1000000, 1048576, 1e21, 0.1, 0.00001, -0.5, 2147483648,
  9007199254740992, 123456789,
];

function scalar(random: Random): unknown {
  const kind = random.below(12);
  if (kind < 7) return random.pick(texts);
  if (kind < 10) return random.pick(numbers);
  return random.pick<unknown>([true, false, null]);
}

function operand(random: Random): unknown {
  const kind = random.below(10);
  if (kind < 5) return scalar(random);
  if (kind < 8)
    return random.list(0, 3, () => (random.chance(0.7) ? random.pick(texts) : scalar(random)));
  if (kind < 9) return { [random.pick(['a', 'b'])]: scalar(random) };
  return random.chance(0.5) ? [[scalar(random)]] : {};
}

function inPolicy(random: Random): unknown {
  if (random.chance(0.35)) {
    return random.pick([
      ...phrases`
        {{ k }}  {{ v }}  {{k}}  {{ missing }}  {{ k.x }}  {{ missing || '' }}  x-{{ k }}
        {{ l[*].n }}  {{ l[0].n }}  {{ l }}  {{ o }}  {{ o.a }}  {{ request.operation }}
        {{ request.object.a }}  {{ to_string(k) }}  {{ length(l) }}  {{ compare('a','b') }}  {{
        \{{ k }}  {{ k  $(./x)
      `,
      ['{{ k }}', '{{ v }}'],
      { a: '{{ k }}' },
      "{{ items(o,'k','v') }}",
    ]);
  }
  return operand(random);
}

function condition(random: Random): object {
  const made: Record<string, unknown> = {
    key: inPolicy(random),
    operator: random.chance(0.03) ? random.pick(oddOperators) : random.pick(operators),
    value: inPolicy(random),
  };
  if (random.chance(0.4)) made['message'] = random.pick(['m1', 'm2', '', 'because {{ k }}']);
  if (random.chance(0.02)) delete made[random.pick(['key', 'value', 'operator'])];
  return made;
}

/** A random case for `conditions`. */
export function generateConditions(random: Random): object {
  const context = {
    k: operand(random),
    v: operand(random),
    l: random.list(0, 3, () => ({ n: scalar(random) })),
    o: { a: scalar(random), b: scalar(random) },
    request: {
      operation: random.pick(['CREATE', 'UPDATE', 'DELETE']),
      object: { a: 'new' },
      oldObject: { a: 'old' },
    },
  };
  return { context, conditions: block(random) };
}

function block(random: Random): unknown {
  const kind = random.below(10);
  if (kind < 5) return [condition(random)];
  if (kind === 5) return random.list(0, 3, () => condition(random));
  if (kind === 6)
    return random.pick<unknown>([
      null,
      {},
      [],
      5,
      'x',
      { any: [] },
      { all: [] },
      { any: [], all: [condition(random)] },
    ]);
  const made: Record<string, unknown> = {};
  if (random.chance(0.7)) made['any'] = random.list(0, 3, () => condition(random));
  if (random.chance(0.7)) made['all'] = random.list(0, 3, () => condition(random));
  return made;
}
