import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import {
  type ComprehensionExpression,
  type Expression,
  printExpression,
} from '@kubeadmit/cel/syntax';
import {
  type AccessPath,
  accessPath,
  elementPath,
  keyStep,
  type NamedPaths,
  pathText,
} from './access-path.ts';
import { type Facts, implied, withFacts } from './facts.ts';
import type { ExpressionFinding, PolicyExpression } from './policy-expressions.ts';
import type { Presence } from './presence.ts';
import { VariableUses } from './variable-uses.ts';

/** The requests that a policy may receive. */
export interface SeenRequests {
  readonly operations: ReadonlySet<string>;
  /** The kinds of its objects; none where there are too many to look at each. */
  readonly kinds: readonly GroupVersionKind[];
  /** Labels that its selectors make sure of. */
  readonly labels: readonly string[];
}

/**
 * Reads of values that some objects do not have, where nothing makes sure before that they are there: an error for
 * these objects. And reads of `object` and `oldObject` in requests where they are null.
 */
export function unguardedReads(
  expressions: readonly PolicyExpression[],
  seen: SeenRequests,
  presence: Presence,
): readonly ExpressionFinding[] {
  return new GuardCheck(expressions, seen, presence).run();
}

class GuardCheck {
  readonly #expressions: readonly PolicyExpression[];
  readonly #uses: VariableUses;
  readonly #seen: SeenRequests;
  readonly #presence: Presence;
  readonly #names = new Map<string, AccessPath | undefined>();
  readonly #found = new Map<string, ExpressionFinding>();
  #field = '';

  constructor(expressions: readonly PolicyExpression[], seen: SeenRequests, presence: Presence) {
    this.#expressions = expressions;
    this.#seen = seen;
    this.#presence = presence;
    const variables = expressions.filter(({ role, tree }) => role === 'variable' && tree);
    this.#uses = new VariableUses(variables);
    for (const { name, tree } of variables) {
      if (tree !== undefined) this.#names.set(`variables.${name}`, accessPath(tree, this.#names));
    }
  }

  run(): readonly ExpressionFinding[] {
    const { operations, labels } = this.#seen;
    const selected = labels.flatMap((label) => [
      'object.metadata.labels',
      `object.metadata.labels${keyStep(label)}`,
    ]);
    const none: Facts = { present: new Set(selected), operations };
    const conditions = this.#expressions.filter(({ role }) => role === 'matchCondition');
    const given = (except?: PolicyExpression): Facts =>
      conditions.reduce(
        (facts, each) =>
          each === except || each.tree === undefined
            ? facts
            : withFacts(facts, implied(each.tree, true, this.#names)),
        none,
      );
    for (const expression of this.#expressions) {
      const { role, tree, field } = expression;
      // Errors in messages only cost the message.
      if (tree === undefined || ['variable', 'message', 'auditAnnotation'].includes(role)) continue;
      this.#field = field;
      this.#look(tree, given(role === 'matchCondition' ? expression : undefined), this.#names);
      for (const { variable, facts } of this.#uses.each()) {
        this.#field = variable.field;
        if (variable.tree !== undefined) this.#look(variable.tree, facts, this.#names);
      }
    }
    return [...this.#found.values()];
  }

  #look(expression: Expression, facts: Facts, names: NamedPaths): void {
    switch (expression.kind) {
      case 'select':
        this.#lookAtSelect(expression, facts, names);
        return;
      case 'call':
        this.#lookAtCall(expression, facts, names);
        return;
      case 'comprehension':
        this.#lookAtLoop(expression, facts, names);
        return;
      case 'list':
        for (const each of expression.elements) this.#look(each, facts, names);
        return;
      case 'map':
        for (const { key, value } of expression.entries) {
          this.#look(key, facts, names);
          this.#look(value, facts, names);
        }
        return;
      case 'struct':
        for (const { value } of expression.fields) this.#look(value, facts, names);
        return;
      default:
        return;
    }
  }

  #lookAtSelect(
    expression: Extract<Expression, { kind: 'select' }>,
    facts: Facts,
    names: NamedPaths,
  ): void {
    const { operand, field, test } = expression;
    if (operand.kind === 'identifier' && operand.name === 'variables' && !names.has('variables')) {
      // A variable is evaluated at its first use, so the facts at that place apply.
      this.#uses.add(field, facts);
      return;
    }
    this.#look(operand, facts, names);
    const from = accessPath(operand, names);
    if (from === undefined) return;
    this.#checkNull(from, expression.position, facts);
    if (test) return;
    const parent = printExpression(operand);
    this.#checkPresent([...from, field], expression.position, facts, {
      shown: `${parent}.${field}`,
      guard: `has(${parent}.${field})`,
      optional: `${parent}.?${field}`,
    });
  }

  #lookAtCall(
    expression: Extract<Expression, { kind: 'call' }>,
    facts: Facts,
    names: NamedPaths,
  ): void {
    const { function: name, target, arguments: values } = expression;
    if (name === '_&&_' || name === '_||_') {
      const parts = operandsOf(expression, name);
      const isTrue = name === '_&&_';
      for (const [i, part] of parts.entries()) {
        const around = parts.reduce(
          (all, other, j) =>
            i === j || (j > i && !isGuard(other))
              ? all
              : withFacts(all, implied(other, isTrue, names)),
          facts,
        );
        this.#look(part, around, names);
      }
      return;
    }
    const [first, second, third] = values;
    if (name === '_?_:_' && first !== undefined && second !== undefined && third !== undefined) {
      this.#look(first, facts, names);
      this.#look(second, withFacts(facts, implied(first, true, names)), names);
      this.#look(third, withFacts(facts, implied(first, false, names)), names);
      return;
    }
    if (target !== undefined) this.#look(target, facts, names);
    for (const value of values) this.#look(value, facts, names);
    if (name !== '_[_]' || first === undefined || second === undefined) return;
    const path = accessPath(expression, names);
    if (path !== undefined && second.kind === 'literal' && typeof second.value === 'string') {
      this.#checkNull(path.slice(0, -1), expression.position, facts);
      const [parent, key] = [printExpression(first), printExpression(second)];
      this.#checkPresent(path, expression.position, facts, {
        shown: `${parent}[${key}]`,
        guard: `${key} in ${parent}`,
        optional: `${parent}[?${key}]`,
      });
    }
  }

  #lookAtLoop(expression: ComprehensionExpression, facts: Facts, names: NamedPaths): void {
    this.#look(expression.range, facts, names);
    const { macro, variable, secondVariable } = expression;
    const path = elementPath(expression, names);
    const inner = new Map(names);
    inner.set(variable, secondVariable === undefined ? path : undefined);
    if (secondVariable !== undefined) inner.set(secondVariable, path);
    if (macro?.name === 'bind') {
      const [, value, body] = macro.arguments;
      if (value !== undefined) this.#look(value, facts, names);
      inner.set(variable, value && accessPath(value, names));
      if (body !== undefined) this.#look(body, facts, inner);
      return;
    }
    if (macro === undefined) return;
    const bodies = macro.arguments.slice(secondVariable === undefined ? 1 : 2);
    let around = withFacts(facts, filteredBy(expression.range, variable, inner));
    for (const body of bodies) {
      this.#look(body, around, inner);
      around = withFacts(around, implied(body, true, inner));
    }
  }

  #checkNull(path: AccessPath, position: number, { present, operations }: Facts): void {
    const [root = ''] = path;
    if (path.length > 1 || present.has(root)) return;
    const empty =
      root === 'object' ? ['DELETE'] : root === 'oldObject' ? ['CREATE', 'CONNECT'] : [];
    const met = empty.filter((each) => operations.has(each));
    if (met.length === 0) return;
    this.#add(
      'null-object',
      position,
      `\`${root}\` is null for ${met.join(' or ')}, so reading it fails: check \`${root} != null\` or \`request.operation\` first`,
    );
  }

  #checkPresent(
    path: AccessPath,
    position: number,
    { present }: Facts,
    { shown, guard, optional }: ReadText,
  ): void {
    if (present.has(pathText(path))) return;
    const [root = '', ...steps] = path;
    // The fields of namespaces and parameters are a contract with their authors.
    if (root !== 'object' && root !== 'oldObject') return;
    const kind = this.#seen.kinds.find((each) => this.#presence.isAlways(each, steps) === false);
    if (kind === undefined) return;
    this.#add(
      'unguarded-field',
      position,
      `\`${shown}\` may be missing in a ${kind.kind}, and reading it then fails: check \`${guard}\` first, or read \`${optional}\``,
    );
  }

  #add(code: string, position: number, message: string): void {
    const key = `${this.#field} ${code} ${code === 'null-object' ? message : `${position}`}`;
    const isTold = [...this.#found.values()].some(
      (each) => each.field === this.#field && each.message === message,
    );
    if (!isTold && !this.#found.has(key)) {
      this.#found.set(key, { field: this.#field, code, position, message });
    }
  }
}

/** How a value is shown, tested, and read if it may be absent. */
interface ReadText {
  readonly shown: string;
  readonly guard: string;
  readonly optional: string;
}

/** Returns the facts about the elements of a filtered list. */
function filteredBy(
  range: Expression,
  variable: string,
  names: NamedPaths,
): ReturnType<typeof implied> {
  if (range.kind !== 'comprehension' || range.macro?.name !== 'filter') return { present: [] };
  const predicate = range.macro.arguments[1];
  const own = new Map(names);
  own.set(range.variable, names.get(variable));
  return predicate === undefined ? { present: [] } : implied(predicate, true, own);
}

function operandsOf(expression: Expression, name: string): readonly Expression[] {
  if (expression.kind !== 'call' || expression.function !== name) return [expression];
  return expression.arguments.flatMap((each) => operandsOf(each, name));
}

// An error of a later part does not guard an earlier one, but its truth value does.
function isGuard(expression: Expression): boolean {
  if (expression.kind === 'select') return expression.test;
  if (expression.kind !== 'call') return false;
  if (expression.function === '!_') return expression.arguments.every(isGuard);
  const [left, right] = expression.arguments;
  if (left === undefined || right === undefined) return false;
  if (expression.function === '@in') return left.kind === 'literal' || isOperation(left);
  if (expression.function !== '_==_' && expression.function !== '_!=_') return false;
  const isNull = [left, right].some((each) => each.kind === 'literal' && each.value === null);
  return isOperation(left) || (isNull && [left, right].some(({ kind }) => kind === 'identifier'));
}

function isOperation(expression: Expression): boolean {
  const path = accessPath(expression, new Map());
  return path !== undefined && pathText(path) === 'request.operation';
}
