import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { copyJson } from '@kubeadmit/apimachinery/unstable-internal';
import { setKey } from '@kubeadmit/base';
import { deepEqual } from '@kubeadmit/go';
import { compileCall } from './call.ts';
import { formatNode, type Node } from './node.ts';
import { absorb, ExpressionReference, Failure } from './steps/failure.ts';
import { computeSlice, elementsOf, isFalse } from './steps/list.ts';
import type { FunctionTable, Run, Step } from './steps/step.ts';

const orderings: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  tGT: (left, right) => left > right,
  tGTE: (left, right) => left >= right,
  tLT: (left, right) => left < right,
  tLTE: (left, right) => left <= right,
};

/**
 * Makes a function of an expression's tree, with the treatment of missing keys of Kyverno's go-jmespath: a
 * missing key is a failure that most constructs take for null.
 */
export function compile(node: Node, functions: FunctionTable): Step {
  const step = (at: number): Step => compile(node.children[at] ?? node, functions);
  switch (node.kind) {
    case 'comparator':
      return compileComparator(String(node.value), step(0), step(1));
    case 'reference':
      return compileReference(node.children[0] ?? node, step(0));
    case 'call':
      return compileCall(
        node.value,
        node.children.map((child) => compile(child, functions)),
        functions,
      );
    case 'field':
      return compileField(String(node.value));
    case 'filter':
      return compileFilter(step(0), step(1), step(2));
    case 'flatten':
      return compileFlatten(step(0));
    case 'identity':
    case 'current':
      return (value) => value;
    case 'index':
      return compileIndex(Number(node.value));
    case 'literal':
      return compileLiteral(node.value);
    case 'hash':
      return compileHash(node, functions);
    case 'list':
      return compileList(node.children.map((child) => compile(child, functions)));
    case 'or':
      return compileOr(step(0), step(1));
    case 'and':
      return compileAnd(step(0), step(1));
    case 'not':
      return compileNot(step(0));
    case 'pipe':
      return compilePipe(step(0), step(1));
    case 'projection':
      return compileProjection(step(0), step(1));
    case 'subexpression':
    case 'indexed':
      return compileSubexpression(step(0), step(1));
    case 'slice':
      return compileSlice(node.value as readonly (number | undefined)[]);
    case 'values':
      return compileValues(step(0), step(1));
    default:
      return () => new Failure('Unknown AST node: ASTEmpty');
  }
}

function compileComparator(operator: string, leftStep: Step, rightStep: Step): Step {
  const ordering = orderings[operator];
  return (value, run) => {
    const left = absorb(leftStep(value, run));
    if (left instanceof Failure) return left;
    const right = absorb(rightStep(value, run));
    if (right instanceof Failure) return right;
    if (ordering === undefined) return deepEqual(left, right) === (operator === 'tEQ');
    return typeof left === 'number' && typeof right === 'number' ? ordering(left, right) : null;
  };
}

function compileReference(node: Node, step: Step): Step {
  const text = `{${formatNode(node)}}`;
  return (_value, run) => new ExpressionReference(text, (value) => step(value, run));
}

function compileField(key: string): Step {
  const missing = new Failure(`Unknown key "${key}" in path`, true);
  return (value) => {
    if (!isObject(value)) return null;
    if (Object.hasOwn(value, key)) return value[key];
    return missing;
  };
}

function compileFilter(leftStep: Step, rightStep: Step, condition: Step): Step {
  return (value, run) => {
    const elements = elementsOf(leftStep(value, run));
    if (elements === undefined) return null;
    const kept: unknown[] = [];
    for (const element of elements) {
      const passes = absorb(condition(element, run));
      if (passes instanceof Failure) return passes;
      if (isFalse(passes)) continue;
      const current = absorb(rightStep(element, run));
      if (current instanceof Failure) return current;
      if (current !== null) kept.push(current);
    }
    return run.spend(elements.length) ?? kept;
  };
}

function compileFlatten(leftStep: Step): Step {
  return (value, run) => {
    const elements = elementsOf(leftStep(value, run));
    if (elements === undefined) return null;
    const flat: unknown[] = [];
    for (const element of elements) {
      const inner = elementsOf(element);
      if (inner === undefined) flat.push(element);
      else for (const item of inner) flat.push(item);
    }
    return run.spend(flat.length) ?? flat;
  };
}

function compileIndex(index: number): Step {
  return (value) => elementsOf(value)?.at(index) ?? null;
}

function compileLiteral(literal: unknown): Step {
  // A list may be sorted in place, so that every evaluation needs its own.
  return typeof literal === 'object' && literal !== null ? () => copyJson(literal) : () => literal;
}

function compileHash(node: Node, functions: FunctionTable): Step {
  const members = node.children.map((child): [string, Step] => [
    String(child.value),
    compile(child.children[0] ?? child, functions),
  ]);
  return (value, run) => {
    if (value === null) return null;
    const object: JsonObject = {};
    for (const [key, step] of members) {
      const current = absorb(step(value, run));
      if (current instanceof Failure) return current;
      setKey(object, key, current);
    }
    return run.spend(members.length) ?? run.weigh(object) ?? object;
  };
}

function compileList(steps: readonly Step[]): Step {
  return (value, run) => {
    if (value === null) return null;
    const list: unknown[] = [];
    for (const step of steps) {
      const current = absorb(step(value, run));
      if (current instanceof Failure) return current;
      list.push(current);
    }
    return run.spend(list.length) ?? run.weigh(list) ?? list;
  };
}

function compileOr(leftStep: Step, rightStep: Step): Step {
  return (value, run) => {
    const left = absorb(leftStep(value, run));
    return left instanceof Failure || !isFalse(left) ? left : absorb(rightStep(value, run));
  };
}

function compileAnd(leftStep: Step, rightStep: Step): Step {
  return (value, run) => {
    const left = absorb(leftStep(value, run));
    return left instanceof Failure || isFalse(left) ? left : rightStep(value, run);
  };
}

function compileNot(step: Step): Step {
  return (value, run) => {
    const current = absorb(step(value, run));
    return current instanceof Failure ? current : isFalse(current);
  };
}

function compilePipe(leftStep: Step, rightStep: Step): Step {
  return (value, run) => {
    const left = absorb(leftStep(value, run));
    return left instanceof Failure ? left : absorb(rightStep(left, run));
  };
}

function compileProjection(leftStep: Step, rightStep: Step): Step {
  return (value, run) => {
    const left = absorb(leftStep(value, run));
    if (left instanceof Failure) return left;
    const elements = elementsOf(left);
    return elements === undefined ? null : project(elements, rightStep, run);
  };
}

function project(elements: readonly unknown[], step: Step, run: Run): unknown {
  const results: unknown[] = [];
  for (const element of elements) {
    const current = absorb(step(element, run));
    if (current instanceof Failure) return current;
    if (current !== null) results.push(current);
  }
  return run.spend(elements.length) ?? results;
}

function compileSubexpression(leftStep: Step, rightStep: Step): Step {
  return (value, run) => {
    const left = leftStep(value, run);
    return left instanceof Failure ? left : rightStep(left, run);
  };
}

function compileSlice(parts: readonly (number | undefined)[]): Step {
  return (value, run) => {
    const elements = elementsOf(value);
    if (elements === undefined) return null;
    return run.spend(elements.length) ?? computeSlice(elements, parts);
  };
}

/** Each element is looked at once as null before its value, a trait of go-jmespath that functions notice. */
function compileValues(leftStep: Step, rightStep: Step): Step {
  return (value, run) => {
    const left = leftStep(value, run);
    if (!isObject(left)) return null;
    const values = Object.values(left);
    return project([...values.map(() => null), ...values], rightStep, run);
  };
}
