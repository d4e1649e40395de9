import { isObject, type JsonObject, type KubernetesObject } from '@kubeadmit/apimachinery';
import { comparisonOperators, type Expression, printExpression } from '@kubeadmit/cel/syntax';
import { parsed } from './parsed.ts';
import { policyWithBinding } from './policy-with-binding.ts';

/** A condition within an expression of a policy, which may be true and false. */
export interface Branch {
  /** The policy and the condition, for people. */
  readonly policy: string;
  readonly condition: string;
}

/** Policies that report whether each branch of other policies was taken. */
export interface BranchProbe {
  readonly branches: readonly Branch[];
  /** One policy with its binding for each policy that has branches. */
  readonly objects: readonly KubernetesObject[];
  /** The numbers of the branches that a policy of the probe reports, in the order of its validations. */
  readonly branchesOf: ReadonlyMap<string, readonly number[]>;
}

const group = 'admissionregistration.k8s.io/';

/** The probe of all ValidatingAdmissionPolicies and MutatingAdmissionPolicies among objects. */
export function branchProbe(objects: readonly JsonObject[]): BranchProbe {
  const branches: Branch[] = [];
  const made: KubernetesObject[] = [];
  const branchesOf = new Map<string, readonly number[]>();
  for (const { apiVersion, kind, metadata, spec } of objects) {
    const isPolicy = /^(?:Validating|Mutating)AdmissionPolicy$/.test(String(kind));
    if (!isPolicy || !String(apiVersion).startsWith(group) || !isObject(spec)) continue;
    // Parameters differ from binding to binding.
    if (spec['paramKind'] !== undefined) continue;
    const policy = isObject(metadata) ? String(metadata['name']) : '';
    const conditions = [...new Set(expressionsOf(spec).flatMap(conditionsIn))];
    if (conditions.length === 0) continue;
    const name = `probe-${branchesOf.size}`;
    branchesOf.set(
      name,
      conditions.map((condition) => branches.push({ policy, condition }) - 1),
    );
    made.push(...probePolicy(name, conditions, spec));
  }
  return { branches, objects: made, branchesOf };
}

// `dyn`, since a condition of another type than bool would make the policy invalid.
function probePolicy(
  name: string,
  conditions: readonly string[],
  spec: JsonObject,
): readonly KubernetesObject[] {
  const { matchConstraints, variables } = spec;
  return policyWithBinding(name, 'Audit', {
    failurePolicy: 'Ignore',
    matchConstraints,
    ...(variables === undefined ? {} : { variables }),
    validations: conditions.map((condition) => ({ expression: `dyn(${condition}) == true` })),
  });
}

function expressionsOf(spec: JsonObject): readonly string[] {
  const lists = ['matchConditions', 'validations', 'variables'].flatMap((name) =>
    Array.isArray(spec[name]) ? spec[name].filter(isObject) : [],
  );
  return lists.map(({ expression }) => String(expression));
}

// The operands of logical operators, choices and macros.
function conditionsIn(text: string): readonly string[] {
  const expression = parsed(text);
  if (expression === undefined) return [];
  const found: string[] = [];
  collect(expression, (condition) => condition, found);
  return found;
}

type Around = (condition: string) => string;

const quantifiers: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter']);

function collect(expression: Expression, around: Around, found: string[]): void {
  const { macro } = expression;
  if (macro !== undefined && quantifiers.has(macro.name) && macro.target !== undefined) {
    const [variable, body] = macro.arguments;
    if (variable === undefined || body === undefined) return;
    const range = rangeText(macro.target);
    const name = printExpression(variable);
    collect(body, (inner) => around(`${range}.exists(${name}, ${inner})`), found);
    collect(body, (inner) => around(`${range}.exists(${name}, !(${inner}))`), found);
    return;
  }
  if (expression.kind === 'call' && joining.has(expression.function)) {
    // The branches of a choice may be objects.
    const isChoice = expression.function === '_?_:_';
    for (const [at, part] of expression.arguments.entries()) {
      if (isChoice && at > 0 && part.kind === 'select' && !part.test) continue;
      collect(part, around, found);
    }
    return;
  }
  if (expression.kind === 'call' && choosing.has(expression.function)) {
    const [left, right] = expression.arguments;
    for (const part of [left, right, expression.target]) {
      if (part?.macro !== undefined) collect(part, around, found);
    }
  }
  if (isTest(expression)) found.push(around(printExpression(expression)));
}

// `a + b` in parentheses.
function rangeText(range: Expression): string {
  const text = printExpression(range);
  const isOperator = range.kind === 'call' && /^_(?!\[|\?\.)/.test(range.function);
  return isOperator && range.macro === undefined ? `(${text})` : text;
}

const joining: ReadonlySet<string> = new Set(['_&&_', '_||_', '!_', '_?_:_']);
const comparing = [...comparisonOperators, '@in'];
const choosing: ReadonlySet<string> = new Set([...comparing, 'size']);
const tests: ReadonlySet<string> = new Set([
  ...comparing,
  ...['startsWith', 'endsWith', 'contains', 'matches', 'orValue', 'hasValue', 'isQuantity'],
]);

function isTest(expression: Expression): boolean {
  if (expression.kind === 'select') return true;
  return expression.kind === 'call' && tests.has(expression.function);
}
