import type { CheckedExpression, Reference } from '../check/checker.ts';
import type { CallCost, FunctionDeclaration } from '../library.ts';
import type {
  CallExpression,
  ComprehensionExpression,
  Expression,
  ListExpression,
  MapExpression,
  SelectExpression,
  StructExpression,
} from '../syntax/expression.ts';
import type { Type } from '../types.ts';
import { goTypeName } from '../values/go-type.ts';
import { isList, isPlainObject } from '../values/kind.ts';
import { CelMap } from '../values/map.ts';
import { printValue } from '../values/print.ts';
import { CelError, Optional, TypeValue, type Value } from '../values/value.ts';
import {
  type Attribute,
  extend,
  isKey,
  planAttribute,
  planKey,
  planPresenceTest,
  type Qualifier,
} from './attribute.ts';
import { bind, planCall } from './call.ts';
import {
  formOf,
  type Loop,
  planCollect,
  planExistsOne,
  planLoop,
  planQuantifier,
} from './comprehension.ts';
import { type Evaluate, isError } from './frame.ts';
import { constantSet } from './membership.ts';
import { comparisons, planAddition, planComparison, planEquality, planLogic } from './operator.ts';

/** What the planner needs to know of the environment. */
export interface PlanEnvironment {
  /** The type of a name that stands for one; `undefined` where the name cannot be evaluated. */
  typeValue(name: string): Type | undefined;
  hasStruct(name: string): boolean;
  createStruct(name: string, fields: ReadonlyMap<string, Value>): Value;
  /** The cost of a call; the overload is empty where the checker found several. */
  callCost(name: string, overload: string): CallCost;
}

/** A planned expression and the variables of the environment that it reads, by slot. */
export interface PlannedExpression {
  readonly evaluate: Evaluate;
  readonly variables: readonly string[];
  /** How many slots an evaluation needs; those of variables come first. */
  readonly slots: number;
}

/** Why an expression that passed the checker cannot be evaluated. */
export class PlanFailure extends Error {}

/** Plans a checked expression. Throws {@link PlanFailure}. */
export function plan(
  checked: CheckedExpression,
  environment: PlanEnvironment,
  options: { readonly watch: boolean },
): PlannedExpression {
  const planner = new Planner(checked, environment, options.watch);
  const { evaluate } = planner.plan(checked.expression);
  return { evaluate, variables: planner.variables(), slots: planner.slotCount() };
}

/** What becomes of a node. */
interface Planned {
  readonly evaluate: Evaluate;
  /** The value, where it is known already; it costs nothing. */
  readonly constant?: Value;
  /** The attribute that further selections extend. */
  readonly attribute?: Attribute;
}

interface LocalVariable {
  readonly slot: number;
  readonly initialize: Evaluate | undefined;
}

// Conversions of constants are done when planning.
const conversions: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

const listCost = 10;
const mapCost = 30;
const structCost = 40;

class Planner {
  private readonly checked: CheckedExpression;
  private readonly environment: PlanEnvironment;
  private readonly watch: boolean;
  private readonly globals = new Map<string, number>();
  private readonly locals: { readonly name: string; readonly variable: LocalVariable }[] = [];
  private slots = 0;

  constructor(checked: CheckedExpression, environment: PlanEnvironment, watch: boolean) {
    this.checked = checked;
    this.environment = environment;
    this.watch = watch;
    // Slots of variables come first, so that an evaluation can fill them in order.
    for (const reference of checked.references) {
      if (reference?.kind === 'variable') {
        this.reserveGlobal(reference);
      }
    }
  }

  private reserveGlobal(reference: Extract<Reference, { kind: 'variable' }>): void {
    if (!this.globals.has(reference.name)) {
      this.globals.set(reference.name, this.slots++);
    }
  }

  variables(): readonly string[] {
    return [...this.globals.keys()];
  }

  slotCount(): number {
    return this.slots;
  }

  plan(expression: Expression): Planned {
    const planned = this.planNode(expression);
    if (!this.watch) {
      return planned;
    }
    const { evaluate } = planned;
    return {
      ...planned,
      evaluate: (frame) => {
        const value = evaluate(frame);
        frame.watch?.(expression, value);
        return value;
      },
    };
  }

  private planNode(expression: Expression): Planned {
    switch (expression.kind) {
      case 'literal':
        return constant(expression.value);
      case 'identifier':
        return this.reference(expression);
      case 'select':
        return this.select(expression);
      case 'call':
        return this.call(expression);
      case 'list':
        return this.list(expression);
      case 'map':
        return this.map(expression);
      case 'struct':
        return this.struct(expression);
      case 'comprehension':
        return this.comprehension(expression);
      default:
        return expression satisfies never;
    }
  }

  /** A name, also a dotted one. */
  private reference(expression: Expression): Planned {
    const reference = this.checked.references[expression.id];
    switch (reference?.kind) {
      case 'constant':
        return constant(reference.value);
      case 'type':
        return this.typeReference(reference.name);
      case 'variable': {
        // A variable that holds a type is looked up among the types, where it cannot be.
        if (this.checked.types[expression.id]?.kind === 'type') {
          return this.typeReference(reference.name);
        }
        return fromAttribute({ root: this.variable(reference), qualifiers: [] });
      }
      default:
        throw new Error('an expression with issues cannot be planned');
    }
  }

  private typeReference(name: string): Planned {
    const type = this.environment.typeValue(name);
    if (type === undefined) {
      throw new PlanFailure(`reference to undefined type: ${name}`);
    }
    return constant(new TypeValue(type));
  }

  private variable({ name, root }: Extract<Reference, { kind: 'variable' }>): Attribute['root'] {
    const local = root ? undefined : this.locals.findLast((candidate) => candidate.name === name);
    if (local !== undefined) {
      return { kind: 'variable', name, isData: false, ...local.variable };
    }
    const slot = this.globals.get(name) ?? 0;
    return { kind: 'variable', name, slot, isData: true, initialize: undefined };
  }

  private select(expression: SelectExpression): Planned {
    if (this.checked.references[expression.id] !== undefined) {
      return this.reference(expression);
    }
    return this.qualified(this.plan(expression.operand), {
      key: { constant: expression.field },
      optional: false,
      test: expression.test,
    });
  }

  private qualified(planned: Planned, qualifier: Qualifier): Planned {
    const extended = extend(attributeOf(planned), qualifier);
    return qualifier.test
      ? { evaluate: planPresenceTest(extended), attribute: extended }
      : fromAttribute(extended);
  }

  private index(target: Expression, index: Expression, optional: boolean): Planned {
    const operand = this.plan(target);
    const planned = this.plan(index);
    if (planned.constant !== undefined) {
      if (!isKey(planned.constant)) {
        throw new PlanFailure(`invalid qualifier type: ${goTypeName(planned.constant)}`);
      }
      const key = { constant: planned.constant };
      return this.qualified(operand, { key, optional, test: false });
    }
    const key = { evaluate: planKey(attributeOf(planned)) };
    return this.qualified(operand, { key, optional, test: false });
  }

  private call(expression: CallExpression): Planned {
    const [first, second, third] = expression.arguments;
    switch (expression.function) {
      case '_&&_':
        return { evaluate: this.logic(expression, false) };
      case '_||_':
        return { evaluate: this.logic(expression, true) };
      case '_?_:_':
        return this.choice(first, second, third);
      case '_==_':
      case '_!=_':
        return this.equality(expression.function, first, second);
      case '_[_]':
        return this.index(required(first), required(second), false);
      case '_[?_]':
      case '_?._':
        return this.index(required(first), required(second), true);
      default:
        return this.functionCall(expression);
    }
  }

  private choice(
    condition: Expression | undefined,
    whenTrue: Expression | undefined,
    whenFalse: Expression | undefined,
  ): Planned {
    const side = (expression: Expression | undefined): Attribute =>
      attributeOf(this.plan(required(expression)));
    return fromAttribute({
      root: {
        kind: 'choice',
        condition: this.plan(required(condition)).evaluate,
        whenTrue: side(whenTrue),
        whenFalse: side(whenFalse),
      },
      qualifiers: [],
    });
  }

  /** Any number of terms, of which one with the `decisive` value settles it, errors or not. */
  private logic(expression: CallExpression, decisive: boolean): Evaluate {
    const terms: Evaluate[] = [];
    const collect = (term: Expression): void => {
      if (term.kind === 'call' && term.function === expression.function && !this.watch) {
        term.arguments.forEach(collect);
      } else {
        terms.push(this.plan(term).evaluate);
      }
    };
    expression.arguments.forEach(collect);
    return planLogic(terms, decisive);
  }

  private equality(
    name: '_==_' | '_!=_',
    left: Expression | undefined,
    right: Expression | undefined,
  ): Planned {
    const cost = this.environment.callCost(name, name === '_==_' ? 'equals' : 'not_equals');
    return {
      evaluate: planEquality(
        this.plan(required(left)).evaluate,
        this.plan(required(right)).evaluate,
        cost,
        name === '_!=_',
      ),
    };
  }

  private functionCall(expression: CallExpression): Planned {
    const reference = this.checked.references[expression.id];
    if (reference?.kind !== 'function') {
      throw new Error('an expression with issues cannot be planned');
    }
    const { declaration, overloads, qualified } = reference;
    const values = [
      ...(expression.target === undefined || qualified ? [] : [expression.target]),
      ...expression.arguments,
    ].map((value) => this.plan(value));
    const overload = overloads.length === 1 ? overloads[0] : undefined;
    const folded = this.fold(declaration, overload?.id, values);
    if (folded !== undefined) {
      return folded;
    }
    if (overload?.id === 'optional_or_optional' || overload?.id === 'optional_orValue_value') {
      return {
        evaluate: planOr(
          values.map((value) => value.evaluate),
          overload.id,
        ),
      };
    }
    const cost = this.environment.callCost(declaration.name, overload?.id ?? '');
    const special = declaration.specialize?.(values.map((value) => value.constant));
    if (special instanceof CelError) {
      throw new PlanFailure(special.message);
    }
    const binding =
      special === undefined
        ? bind(declaration, overload)
        : { evaluate: special, variadic: true, nonStrict: false };
    const relation = comparisons.get(declaration.name);
    const [first, second] = values;
    if (relation !== undefined && typeof cost === 'number' && first && second) {
      const operands = [first.evaluate, second.evaluate] as const;
      return { evaluate: planComparison(relation, operands, binding.evaluate, cost) };
    }
    if (declaration.name === '_+_' && first && second) {
      const operands = [first.evaluate, second.evaluate] as const;
      return { evaluate: planAddition(operands, binding.evaluate, cost) };
    }
    return {
      evaluate: planCall(
        binding,
        values.map((value) => value.evaluate),
        cost,
      ),
    };
  }

  /** What can be computed now: conversions of constants, and membership in a constant list. */
  private fold(
    declaration: FunctionDeclaration,
    overload: string | undefined,
    values: readonly Planned[],
  ): Planned | undefined {
    const [first, second] = values;
    if (conversions.has(declaration.name) && values.length === 1 && first?.constant !== undefined) {
      const binding = bind(
        declaration,
        declaration.overloads.find((candidate) => candidate.id === overload),
      );
      const value = binding.evaluate(first.constant);
      if (isError(value)) {
        throw new PlanFailure(value.message);
      }
      return constant(value);
    }
    if (overload !== 'in_list' || second?.constant === undefined || first === undefined) {
      return undefined;
    }
    const list = second.constant;
    if (!Array.isArray(list)) {
      return undefined;
    }
    if (list.length === 0) {
      return constant(false);
    }
    const isMember = constantSet(list);
    if (isMember === undefined) {
      return undefined;
    }
    const { evaluate } = first;
    return {
      evaluate: (frame) => {
        const value = evaluate(frame);
        return isError(value) ? value : isMember(value);
      },
    };
  }

  private list({ elements, optional }: ListExpression): Planned {
    const planned = elements.map((element) => this.plan(element));
    if (optional.length === 0 && planned.every((element) => element.constant !== undefined)) {
      return constant(planned.map((element) => element.constant ?? null));
    }
    const values = planned.map((element) => element.evaluate);
    if (optional.length === 0) {
      return { evaluate: planList(values) };
    }
    const isOptional = values.map((_, index) => optional.includes(index));
    return {
      evaluate: (frame) => {
        const list: Value[] = [];
        for (let index = 0; index < values.length; index++) {
          const value = (values[index] as Evaluate)(frame);
          if (isError(value)) {
            frame.charge(listCost);
            return value;
          }
          if (isOptional[index] === true) {
            if (!(value instanceof Optional)) {
              frame.charge(listCost);
              return new CelError(
                `cannot initialize optional list element from non-optional value ${printValue(value)}`,
              );
            }
            if (value.value !== undefined) {
              list.push(value.value);
            }
          } else {
            list.push(value);
          }
        }
        frame.charge(listCost);
        return list;
      },
    };
  }

  private map({ entries }: MapExpression): Planned {
    const planned = entries.map((entry) => ({
      key: this.plan(entry.key),
      value: this.plan(entry.value),
      optional: entry.optional,
    }));
    const isConstant = planned.every(
      ({ key, value, optional }) =>
        !optional && key.constant !== undefined && value.constant !== undefined,
    );
    if (isConstant) {
      const map = new CelMap();
      for (const { key, value } of planned) {
        if (key.constant instanceof Uint8Array) {
          throw new PlanFailure('runtime error: hash of unhashable type types.Bytes');
        }
        map.set(key.constant ?? null, value.constant ?? null);
      }
      return constant(map);
    }
    const parts = planned.map(({ key, value, optional }, index) => ({
      key: planOwnKey(key, this.readsData(entries[index]?.key)),
      value: value.evaluate,
      optional,
    }));
    return {
      evaluate: (frame) => {
        let map = new CelMap();
        for (const part of parts) {
          const key = part.key(frame);
          const value = isError(key) ? key : part.value(frame);
          const added = isError(value) ? value : addEntry(map, key, value, part.optional);
          if (isError(added)) {
            frame.charge(mapCost);
            return added;
          }
          map = added;
        }
        frame.charge(mapCost);
        return map;
      },
    };
  }

  /** Whether the value may be one that is read from data as it was given. */
  private readsData(expression: Expression | undefined): boolean {
    const reference = expression && this.checked.references[expression.id];
    if (reference?.kind === 'variable') {
      const root = this.variable(reference);
      return root.kind === 'variable' && root.isData;
    }
    switch (expression?.kind) {
      case 'select':
        return this.readsData(expression.operand);
      case 'call': {
        const { arguments: values, target } = expression;
        const parts = expression.function === '_?_:_' ? values.slice(1) : [target, ...values];
        return parts.some((part) => this.readsData(part));
      }
      default:
        return false;
    }
  }

  private struct({ id, fields }: StructExpression): Planned {
    const reference = this.checked.references[id];
    if (reference?.kind !== 'struct') {
      throw new Error('an expression with issues cannot be planned');
    }
    const { name } = reference;
    if (!this.environment.hasStruct(name)) {
      throw new PlanFailure(`unknown type: ${name}`);
    }
    const parts = fields.map((field) => ({
      name: field.name,
      optional: field.optional,
      evaluate: this.plan(field.value).evaluate,
    }));
    return {
      evaluate: (frame) => {
        const values = new Map<string, Value>();
        for (const part of parts) {
          const value = part.evaluate(frame);
          const failed = isError(value) ? value : addField(values, part, value);
          if (failed !== undefined) {
            frame.charge(structCost);
            return failed;
          }
        }
        const created = this.environment.createStruct(name, values);
        frame.charge(structCost);
        return created;
      },
    };
  }

  private comprehension(expression: ComprehensionExpression): Planned {
    const form = formOf(expression);
    const initial = this.plan(expression.initial);
    const accumulator = this.slots++;
    const isFresh = initial.constant instanceof CelMap && initial.constant.size === 0;
    const accumulated: LocalVariable = {
      slot: accumulator,
      initialize: isFresh ? (): Value => new CelMap() : initial.evaluate,
    };
    const range = this.plan(expression.range).evaluate;
    this.locals.push({ name: expression.accumulator, variable: accumulated });
    if (form.kind === 'bind') {
      // Never evaluated, and yet planned by cel-go, which refuses what cannot be.
      this.plan(expression.step);
      const body = this.plan(expression.result).evaluate;
      this.locals.pop();
      return {
        evaluate: (frame) => {
          frame.slots[accumulator] = undefined;
          return body(frame);
        },
      };
    }
    const loop: Loop = {
      range,
      variable: this.slots++,
      secondVariable: expression.secondVariable === undefined ? undefined : this.slots++,
    };
    this.declareLocal(expression.variable, loop.variable);
    if (expression.secondVariable !== undefined && loop.secondVariable !== undefined) {
      this.declareLocal(expression.secondVariable, loop.secondVariable);
    }
    const evaluate = this.round(expression, form, loop, accumulator);
    this.locals.pop();
    return { evaluate };
  }

  private declareLocal(name: string, slot: number): void {
    this.locals.push({ name, variable: { slot, initialize: undefined } });
  }

  /** Plans what a loop repeats; leaves only the accumulator among the local variables. */
  private round(
    expression: ComprehensionExpression,
    form: Exclude<ReturnType<typeof formOf>, { kind: 'bind' }>,
    loop: Loop,
    accumulator: number,
  ): Evaluate {
    const planned = this.roundParts(expression, form);
    this.locals.pop();
    if (expression.secondVariable !== undefined) {
      this.locals.pop();
    }
    switch (planned.kind) {
      case 'all':
        return planQuantifier(loop, planned.predicate, false);
      case 'exists':
        return planQuantifier(loop, planned.predicate, true);
      case 'existsOne':
        return planExistsOne(loop, planned.predicate);
      case 'collect':
        return planCollect(loop, planned.predicate, planned.element, planned.listCost);
      default: {
        const result = this.plan(expression.result).evaluate;
        return planLoop({ ...loop, accumulator, result, ...planned });
      }
    }
  }

  private roundParts(
    expression: ComprehensionExpression,
    form: Exclude<ReturnType<typeof formOf>, { kind: 'bind' }>,
  ): RoundParts {
    switch (form.kind) {
      case 'all':
      case 'exists':
      case 'existsOne':
        return { kind: form.kind, predicate: this.plan(form.predicate).evaluate };
      case 'collect': {
        const { added } = form;
        const element = this.plan(added.kind === 'list' ? required(added.elements[0]) : added);
        return {
          kind: 'collect',
          predicate: form.predicate && this.plan(form.predicate).evaluate,
          element: element.evaluate,
          listCost: element.constant === undefined ? listCost : 0,
        };
      }
      default:
        return {
          kind: 'other',
          condition: this.plan(expression.condition).evaluate,
          step: this.plan(expression.step).evaluate,
        };
    }
  }
}

type RoundParts =
  | { readonly kind: 'all' | 'exists' | 'existsOne'; readonly predicate: Evaluate }
  | {
      readonly kind: 'collect';
      readonly predicate: Evaluate | undefined;
      readonly element: Evaluate;
      readonly listCost: number;
    }
  | { readonly kind: 'other'; readonly condition: Evaluate; readonly step: Evaluate };

function constant(value: Value): Planned {
  return { evaluate: () => value, constant: value };
}

function fromAttribute(attribute: Attribute): Planned {
  return { evaluate: planAttribute(attribute), attribute };
}

function attributeOf({ attribute, evaluate }: Planned): Attribute {
  return attribute ?? { root: { kind: 'value', evaluate }, qualifiers: [] };
}

function required(expression: Expression | undefined): Expression {
  if (expression === undefined) {
    throw new Error('an expression with issues cannot be planned');
  }
  return expression;
}

/** Plans `a.or(b)` and `a.orValue(b)`, which cost nothing and evaluate `b` only where `a` is none. */
function planOr([left, right]: readonly Evaluate[], overload: string): Evaluate {
  if (left === undefined || right === undefined) {
    throw new Error('an expression with issues cannot be planned');
  }
  return (frame) => {
    const optional = left(frame);
    if (isError(optional)) {
      return optional;
    }
    if (!(optional instanceof Optional)) {
      return new CelError('no such overload');
    }
    if (optional.value === undefined) {
      return right(frame);
    }
    return overload === 'optional_or_optional' ? optional : optional.value;
  };
}

function planList(values: readonly Evaluate[]): Evaluate {
  return (frame) => {
    const list: Value[] = [];
    for (let index = 0; index < values.length; index++) {
      const value = (values[index] as Evaluate)(frame);
      if (isError(value)) {
        frame.charge(listCost);
        return value;
      }
      list.push(value);
    }
    frame.charge(listCost);
    return list;
  };
}

/**
 * Plans the key of an entry. To Go, lists, maps and optionals are pointers as keys: what is read from
 * data is a new one at each reading, and so is an optional that has a name.
 */
function planOwnKey({ evaluate, attribute }: Planned, isFromData: boolean): Evaluate {
  if (!isFromData && attribute === undefined) {
    return evaluate;
  }
  return (frame) => {
    const key = evaluate(frame);
    if (key instanceof Optional) {
      return key.value === undefined ? key : new Optional(key.value);
    }
    if (!isFromData) {
      return key;
    }
    return isList(key) ? [...key] : isPlainObject(key) ? { ...key } : key;
  };
}

/** The map with the entry; an optional entry without a value takes away one of the same key. */
function addEntry(map: CelMap, key: Value, value: Value, optional: boolean): CelMap | CelError {
  if (!optional) {
    map.set(key, value);
    return map;
  }
  if (!(value instanceof Optional)) {
    return new CelError(
      `cannot initialize optional entry '${printValue(key)}' from non-optional value ${printValue(value)}`,
    );
  }
  if (value.value === undefined) {
    return map.without(key);
  }
  map.set(key, value.value);
  return map;
}

function addField(
  values: Map<string, Value>,
  { name, optional }: { readonly name: string; readonly optional: boolean },
  value: Value,
): CelError | undefined {
  if (!optional) {
    values.set(name, value);
    return undefined;
  }
  if (!(value instanceof Optional)) {
    return new CelError(
      `cannot initialize optional entry '${name}' from non-optional value ${printValue(value)}`,
    );
  }
  if (value.value === undefined) {
    values.delete(name);
  } else {
    values.set(name, value.value);
  }
  return undefined;
}
