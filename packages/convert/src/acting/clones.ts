import { type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { kindNamed, textsOf } from '@kubeadmit/difference/unstable-internal';
import { literal } from '../cel/literal.ts';
import { call, member, type Term } from '../cel/term.ts';
import { textTerm } from '../jmespath/text-value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { Unsupported } from '../notes/unsupported.ts';

const resource = member('resource');

/**
 * The objects that a pattern with `clone` or `cloneList` copies, as `resource.Get` and `resource.List` return them.
 *
 * @throws Unsupported for copies that have no form in CEL.
 */
export function clonedObjects(pattern: JsonObject, variables: Variables): readonly Term[] {
  const clone = objectOf(pattern['clone']);
  return clone['name'] === undefined
    ? listed(pattern, variables)
    : [single(pattern, clone, variables)];
}

function single(pattern: JsonObject, clone: JsonObject, variables: Variables): Term {
  const { apiVersion, kind } = pattern;
  if (pattern['name'] !== clone['name']) {
    throw new Unsupported('a clone under another name: a GeneratingPolicy keeps the name');
  }
  const text = (value: unknown): Term => textTerm(String(value ?? ''), variables);
  return call(
    resource,
    'Get',
    literal(String(apiVersion)),
    literal(pluralOf(`${String(apiVersion)}/${String(kind)}`, variables)),
    text(clone['namespace']),
    text(clone['name']),
  );
}

function listed(pattern: JsonObject, variables: Variables): readonly Term[] {
  const { namespace, kinds, selector } = objectOf(pattern['cloneList']);
  const { matchLabels, matchExpressions } = objectOf(selector);
  if (matchExpressions !== undefined) {
    throw new Unsupported('`matchExpressions` in `cloneList`', 'use `matchLabels`');
  }
  const place = textTerm(String(namespace ?? ''), variables);
  const labels = matchLabels === undefined ? [] : [literal(matchLabels)];
  return textsOf(kinds).map((text) => {
    const apiVersion = text.slice(0, text.lastIndexOf('/'));
    const plural = literal(pluralOf(text, variables));
    return call(resource, 'List', literal(apiVersion), plural, place, ...labels);
  });
}

/** The name of the resource of a kind: `configmaps`. */
function pluralOf(kind: string, { known }: Variables): string {
  const found = kindNamed(kind, known.schemas);
  if (found !== undefined) return found.resource;
  throw new Unsupported(
    `the resource of \`${kind}\` is unknown`,
    'add its CustomResourceDefinition to the inputs',
  );
}
