import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { textsOf } from '@kubeadmit/difference/unstable-internal';
import { hasWildcard } from '@kubeadmit/kyverno/patterns';
import { literal } from '../cel/literal.ts';
import { all, call, member, not, relation, type Term } from '../cel/term.ts';
import { oneOf, wildcardTest } from '../cel/wildcard.ts';
import { Unsupported } from '../notes/unsupported.ts';

/** Whether labels fit a selector; in Kyverno its labels may have wildcards. */
export function selectorTest(selector: JsonObject, labels: Term): Term {
  const equal = isObject(selector['matchLabels']) ? Object.entries(selector['matchLabels']) : [];
  const expressions = Array.isArray(selector['matchExpressions'])
    ? selector['matchExpressions'].filter(isObject)
    : [];
  return all([
    ...equal.map(([key, value]) => labelTest(labels, key, String(value))),
    ...expressions.map((expression) => expressionTest(labels, expression)),
  ]);
}

function labelTest(labels: Term, key: string, value: string): Term {
  if (hasWildcard(key)) {
    const fits = all([
      wildcardTest(member('key'), key),
      wildcardTest(member(`${labels.text}[key]`), value),
    ]);
    return call(labels, 'exists', member('key'), fits);
  }
  const isThere = relation(literal(key), 'in', labels);
  return all([isThere, wildcardTest(valueOf(labels, key), value)]);
}

function expressionTest(labels: Term, expression: JsonObject): Term {
  const key = String(expression['key'] ?? '');
  const values = textsOf(expression['values']);
  const isThere = relation(literal(key), 'in', labels);
  switch (expression['operator']) {
    case 'Exists':
      return isThere;
    case 'DoesNotExist':
      return not(isThere);
    case 'In':
      return all([isThere, oneOf(valueOf(labels, key), values)]);
    case 'NotIn':
      return not(all([isThere, oneOf(valueOf(labels, key), values)]));
    default:
      throw new Unsupported(`a selector with the operator \`${String(expression['operator'])}\``);
  }
}

function valueOf(labels: Term, key: string): Term {
  return member(`${labels.text}[${literal(key).text}]`);
}
