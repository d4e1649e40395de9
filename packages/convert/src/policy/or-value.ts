import { childrenOf, type Expression, printExpression } from '@kubeadmit/cel/syntax';
import { parsed, variableTexts } from '@kubeadmit/difference/unstable-internal';
import { rewritten } from '../cel/rewrite.ts';

/**
 * Returns a part of a policy without `.orValue(…)` calls on values that are not optional.
 *
 * Kyverno returns the value itself there (`OrValueCompatEnvOptions`), whereas kube-apiserver ends in an error.
 * Calls on values that may be optional are kept.
 *
 * @param spec The spec that defines the variables of the policy.
 */
export function withPlainValues(value: unknown, spec: unknown): unknown {
  return new Plainer(variableTexts(spec)).within(value);
}

class Plainer {
  readonly #variables: ReadonlyMap<string, string>;

  constructor(variables: ReadonlyMap<string, string>) {
    this.#variables = variables;
  }

  /** The same for every expression within. */
  within(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.within(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        typeof item === 'string' && /[eE]xpression$/.test(key)
          ? this.#expression(item)
          : this.within(item),
      ]),
    );
  }

  #expression(text: string): string {
    const tree = text.includes('orValue') ? parsed(text) : undefined;
    if (tree === undefined) return text;
    const made = rewritten(tree, (node) => {
      const isCall = node.kind === 'call' && node.function === 'orValue';
      return isCall && node.target !== undefined && this.#isPlain(node.target)
        ? node.target
        : undefined;
    });
    return made === tree ? text : printExpression(made, { bareCalls: true });
  }

  // Fields and elements of a named value, none of them optional; fields of an optional variable count as optional.
  #isPlain(receiver: Expression): boolean {
    if (receiver.kind === 'select') {
      const { operand, field, test } = receiver;
      if (test) return false;
      if (operand.kind !== 'identifier') return this.#isPlain(operand);
      return operand.name !== 'variables' || !this.#mayBeOptional(field);
    }
    if (receiver.kind !== 'call' || receiver.function !== '_[_]') return false;
    const [operand, index] = receiver.arguments;
    if (operand === undefined || index?.kind !== 'literal') return false;
    return operand.kind === 'identifier' || this.#isPlain(operand);
  }

  #mayBeOptional(variable: string): boolean {
    const text = this.#variables.get(variable);
    const tree = text === undefined ? undefined : parsed(text);
    return tree === undefined || mayGiveOptional(tree);
  }
}

const unwrapping: ReadonlySet<string> = new Set(['orValue', 'value', 'hasValue']);

function mayGiveOptional(node: Expression): boolean {
  if (node.kind === 'call') {
    if (unwrapping.has(node.function)) return false;
    if (/^_(?:\?\._|\[\?_\])$|^opt|^or$/.test(node.function)) return true;
  }
  if (node.kind === 'identifier' && node.name === 'optional') return true;
  // A variable of a variable is not followed.
  const isVariable =
    node.kind === 'select' &&
    node.operand.kind === 'identifier' &&
    node.operand.name === 'variables';
  return isVariable || childrenOf(node).some(mayGiveOptional);
}
