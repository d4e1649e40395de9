import {
  type ComprehensionExpression,
  type Expression,
  printExpression,
} from '@kubeadmit/cel/syntax';
import { parsed } from '@kubeadmit/difference/unstable-internal';
import { rewritten } from '../cel/rewrite.ts';
import { Unsupported } from '../notes/unsupported.ts';

/**
 * An apply configuration without the elements that lists have already: Kyverno takes `object.spec.volumes + […]` for
 * `volumes`, while kube-apiserver refuses a sum of both, and keeps by itself the elements that are not named.
 *
 * @throws Unsupported where elements of the object are put into another list.
 */
export function withoutOwnElements(text: string): string {
  const tree = parsed(text);
  if (tree === undefined) return text;
  const made = rewritten(tree, (node) => {
    if (node.kind !== 'struct') return undefined;
    const fields = node.fields.map((field) => {
      if (!isSum(field.value)) return field;
      const value = withoutData(field.value, field.name);
      return value === field.value ? field : { ...field, value };
    });
    return fields.every((field, at) => field === node.fields[at]) ? undefined : { ...node, fields };
  });
  return made === tree ? text : printExpression(made, { bareCalls: true });
}

// A sum of lists, at the end of whatever branches, that makes elements.
function isSum(value: Expression): boolean {
  if (value.kind !== 'call') return false;
  if (value.function === '_?_:_') return value.arguments.slice(1).some(isSum);
  return value.function === '_+_' && makesElements(value);
}

function makesElements(value: Expression): boolean {
  if (value.kind === 'list') return value.elements.some(({ kind }) => kind === 'struct');
  return value.kind === 'call' && value.arguments.some(makesElements);
}

function withoutData(value: Expression, field: string): Expression {
  if (value.kind === 'select') {
    if (value.test || value.field !== field) throw elsewhere(value);
    return { kind: 'list', id: value.id, position: value.position, elements: [], optional: [] };
  }
  if (value.kind === 'comprehension') return withMadeElements(value);
  if (value.kind !== 'call') return value;
  const [first, second, third] = value.arguments;
  if (value.function === '_?_:_' && first && second && third) {
    const [one, other] = [withoutData(second, field), withoutData(third, field)];
    if (isEmpty(one) && isEmpty(other)) return one;
    return one === second && other === third ? value : { ...value, arguments: [first, one, other] };
  }
  if (value.function === '_+_' && first && second) {
    const [one, other] = [withoutData(first, field), withoutData(second, field)];
    if (isEmpty(one)) return other;
    if (isEmpty(other)) return one;
    return one === first && other === second ? value : { ...value, arguments: [one, other] };
  }
  return value;
}

// Elements that `map` yields are new; elements that `filter` yields are existing ones.
function withMadeElements(value: ComprehensionExpression): Expression {
  if (value.macro?.name === 'filter') throw elsewhere(value);
  return value;
}

function isEmpty(value: Expression): boolean {
  return value.kind === 'list' && value.elements.length === 0;
}

function elsewhere(value: Expression): Unsupported {
  return new Unsupported(
    `\`${printExpression(value, { bareCalls: true })}\` among new elements of a list, which kube-apiserver rejects`,
    'write each element as a separate object',
  );
}
