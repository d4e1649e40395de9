import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import type { Term } from '../cel/term.ts';
import { valueTerm } from '../jmespath/text-value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { Unsupported } from '../notes/unsupported.ts';

/**
 * The object that a pattern with `data` describes, under the name of the pattern; `generator.Apply` sets its namespace.
 *
 * @throws Unsupported for data without a form in CEL.
 */
export function generatedObject(pattern: JsonObject, variables: Variables): Term {
  const { apiVersion, kind, name, data } = pattern;
  if (data !== undefined && !isObject(data)) {
    throw new Unsupported('`data` that is not a map, so Kyverno generates nothing');
  }
  if (typeof kind !== 'string' || typeof apiVersion !== 'string' || kind.includes('{{')) {
    throw new Unsupported('a generated object without `apiVersion` or `kind`');
  }
  if (typeof name !== 'string') throw new Unsupported('a generated object without a name');
  const { metadata, apiVersion: _, kind: own, ...rest } = data ?? {};
  if (holdsReference(rest) || holdsReference(metadata)) {
    throw new Unsupported('a reference `$()` in `data`', 'use a variable');
  }
  const { namespace: __, ...others } = objectOf(metadata);
  const object = {
    apiVersion,
    kind: typeof own === 'string' && own !== '' ? own : kind,
    metadata: { ...others, name },
    ...rest,
  };
  return valueTerm(object, variables);
}

function holdsReference(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('$(');
  if (Array.isArray(value)) return value.some(holdsReference);
  return isObject(value) && Object.values(value).some(holdsReference);
}
