import type { JsonObject } from '@kubeadmit/conformance-tools';
import type { Random } from '@kubeadmit/random';

/** A value that a rule names, and its schema. */
export interface Named {
  readonly text: string;
  readonly schema: JsonObject;
}

/** Something that is true or false of two values, whose types need not fit each other. */
export function pairRule(random: Random, left: Named, right: Named): string {
  const [a, b] = [left.text, right.text];
  const rules = [`${a} == ${b}`, `${a} != ${b}`, `dyn(${a}) == dyn(${b})`, `[${a}] == [${b}]`];
  const types = [left.schema['type'], right.schema['type']];
  if (types.every((type) => type === 'array')) rules.push(...ofLists(a, b));
  else if (types[1] === 'array')
    rules.push(`${a} in ${b}`, `${b}.exists(x, x == ${a})`, `${b} + [${a}] == ${b}`);
  else if (types.every((type) => type === 'string')) rules.push(...ofTexts(a, b));
  else if (types.every((type) => type === 'object')) rules.push(...ofObjects(a, b));
  else
    rules.push(
      `${a} < ${b}`,
      `${a} + ${b} == ${a}`,
      `string(${a}) == string(${b})`,
      `[${a}, ${b}].size() == 2`,
    );
  return random.pick(rules);
}

function ofLists(a: string, b: string): string[] {
  return [
    `${a} + ${b} == ${b} + ${a}`,
    `${a} + ${b} == ${a}`,
    `(${a} + ${b}).size() <= 3`,
    `${a}.all(x, x in ${b})`,
    `${a}.all(x, ${b}.exists(y, x == y))`,
    `${a}.exists_one(x, ${b}.all(y, x == y))`,
    `${a}.map(x, ${b}.filter(y, y == x).size()).sum() > 1`,
    `sets.intersects(${a}, ${b})`,
    `sets.equivalent(${a}, ${b})`,
    `(${a}.size() > 1 ? ${a} : ${b}).all(x, x == x)`,
    `(${a} + ${b}).exists(x, x == ${a}[0])`,
    `[${a}, ${b}].all(x, x.size() > 0)`,
    `${a}[0] == ${b}[0]`,
  ];
}

function ofTexts(a: string, b: string): string[] {
  return [
    `${a}.contains(${b})`,
    `${a}.matches(${b})`,
    `${a}.startsWith(${b}) || ${b}.endsWith(${a})`,
    `(${a} + ${b}).size() < 10`,
    `${a} + ${b} == ${b} + ${a}`,
    `${a}.split(${b}).size() > 1`,
    `${a}.replace(${b}, ${a}) == ${a}`,
    `(${a} == '' ? ${b} : ${a}).startsWith('a')`,
    `[${a}, ${b}].join(',').size() > 3`,
    `'%s %s'.format([${a}, ${b}]).contains(' ')`,
    `${a}.indexOf(${b}) >= 0`,
    `${a} < ${b}`,
    `timestamp(${a}) < timestamp(${b})`,
    `quantity(${a}).compareTo(quantity(${b})) <= 0`,
    `{${a}: ${b}}.size() == 1`,
  ];
}

function ofObjects(a: string, b: string): string[] {
  return [
    `${a}.all(x, x in ${b})`,
    `${a}.exists(x, y, y == ${b}[x])`,
    `${a}.size() == ${b}.size()`,
    `[${a}, ${b}].all(x, x == ${a})`,
    `(true ? ${a} : ${b}) == ${a}`,
    `${b} in [${a}]`,
  ];
}
