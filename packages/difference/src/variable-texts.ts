import { isObject } from '@kubeadmit/apimachinery';

/** The expressions of a policy's variables by their names; `spec` may be anything. */
export function variableTexts(spec: unknown): ReadonlyMap<string, string> {
  const list = isObject(spec) ? spec['variables'] : undefined;
  const variables = Array.isArray(list) ? list.filter(isObject) : [];
  return new Map(variables.map(({ name, expression }) => [String(name), String(expression)]));
}
