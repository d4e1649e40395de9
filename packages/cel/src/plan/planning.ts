import type { CheckedExpression } from '../declarations/checked-expression.ts';
import type { CallCost } from '../declarations/library.ts';
import type { Expression } from '../syntax/expression.ts';
import type { Type } from '../values/types.ts';
import type { Value } from '../values/value.ts';
import type { FieldReader } from './apply-qualifiers.ts';
import { type Attribute, type PlannedAttribute, planAttribute } from './attribute.ts';
import type { Evaluate } from './frame.ts';
import type { Operand } from './operator.ts';
import type { HostList, HostRoot, HostVariables, PlanPaths, ReadablePath } from './path.ts';
import type { SharedPaths } from './shared-path.ts';

/** The planner's view of the environment. */
export interface PlanEnvironment {
  /** The type of a name that stands for one; `undefined` where the name cannot be evaluated. */
  typeValue(name: string): Type | undefined;
  hasStruct(name: string): boolean;
  /** Returns the constructor of a struct type. */
  structMaker(name: string): (fields: ReadonlyMap<string, Value>) => Value;
  /** Reads the fields of a struct type; `undefined` if its values have their fields themselves. */
  fieldReader(name: string): FieldReader | undefined;
  /** The cost of a call; the overload is empty where the checker found several. */
  readonly callCost: (name: string, overload: string) => CallCost;
  /** Absent where values of CEL are bound to variables. */
  readonly host: HostVariables | undefined;
  /** Absent where they are read like everything else. */
  readonly paths: PlanPaths | undefined;
}

/** Why an expression that passed the checker cannot be evaluated. */
export class PlanFailure extends Error {
  /** Where the part is that cannot be planned, as an offset in UTF-16 units. */
  position: number | undefined = undefined;
}

/** The plan of a node. */
export interface Planned {
  readonly evaluate: Evaluate;
  /** The value, where it is known already; it costs nothing. */
  readonly constant?: Value;
  /** The attribute that further selections extend. */
  readonly attribute?: Attribute;
  /** The path that is all there is to it. */
  readonly path?: ReadablePath | undefined;
  /** The host list that it returns, if costs are not counted; `evaluate` inspects all of its elements. */
  readonly list?: HostList | undefined;
}

/** A variable that an expression declares itself. */
export interface LocalVariable {
  readonly name: string;
  readonly slot: number;
  readonly initialize: Evaluate | undefined;
  /** Absent where it holds values of CEL. */
  readonly host: HostRoot | undefined;
}

export interface Planning extends SharedPaths {
  readonly checked: CheckedExpression;
  readonly environment: PlanEnvironment;
  /** Whether evaluations count their costs. */
  readonly countsCosts: boolean;
  /** The cost of a call, 0 where costs are not counted. */
  readonly callCost: PlanEnvironment['callCost'];
  /** Whether every value is reported to an observer. */
  readonly observe: boolean;
  /** The slots of the variables of the environment that are used, by name. */
  readonly globals: Map<string, number>;
  /** The variables of the loops around the current expression, innermost last. */
  readonly locals: LocalVariable[];
  /** Whether additions memoize which lists are sums; unknown until the first one wants to know. */
  tellsSums: boolean | undefined;
  plan(expression: Expression): Planned;
}

/** Plans a value that is known at planning time. */
export function constant(value: Value): Planned {
  return { evaluate: () => value, constant: value };
}

/** Plans an attribute, unless it is only a part of another one. */
export function fromAttribute(
  attribute: Attribute,
  planAs: (attribute: Attribute) => PlannedAttribute = planAttribute,
): Planned {
  return new AttributeNode(attribute, planAs);
}

class AttributeNode implements Planned {
  readonly attribute: Attribute;
  readonly #planAs: (attribute: Attribute) => PlannedAttribute;
  #planned: PlannedAttribute | undefined;

  constructor(attribute: Attribute, planAs: (attribute: Attribute) => PlannedAttribute) {
    this.attribute = attribute;
    this.#planAs = planAs;
    this.#planned = undefined;
  }

  get evaluate(): Evaluate {
    return this.#ready().evaluate;
  }

  get path(): ReadablePath | undefined {
    return this.#ready().path;
  }

  #ready(): PlannedAttribute {
    this.#planned ??= this.#planAs(this.attribute);
    return this.#planned;
  }
}

export function attributeOf({ attribute, evaluate }: Planned): Attribute {
  return attribute ?? { root: { kind: 'value', evaluate }, qualifiers: [] };
}

/** Returns a part that every checked node has; throws if it is missing. */
export function required<Part>(part: Part | undefined): Part {
  return part === undefined ? refuse() : part;
}

/** Throws for a node that the checker has not understood. */
export function refuse(): never {
  throw new Error('an expression with issues cannot be planned');
}

/** Returns an operand that is only tested for a key or, with `alsoLists`, for null. */
export function lookedAt(given: Operand, alsoLists: boolean): Operand {
  const host = given.path?.host;
  return host === undefined ? given : { evaluate: (frame) => host.look(frame, alsoLists) };
}

/** Returns the known facts about an operand; an observer also receives constants. */
export function operand({ observe }: Planning, planned: Planned): Operand {
  return observe ? { evaluate: planned.evaluate } : planned;
}
