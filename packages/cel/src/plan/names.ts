import type { Reference } from '../declarations/checked-expression.ts';
import type { Expression, SelectExpression } from '../syntax/expression.ts';
import { goTypeName } from '../values/go-type.ts';
import { TypeValue } from '../values/value.ts';
import type { Qualifier } from './apply-qualifiers.ts';
import {
  type Attribute,
  extend,
  isKey,
  planAttribute,
  planKey,
  planPresenceTest,
} from './attribute.ts';
import type { Evaluate } from './frame.ts';
import type { VariableRoot } from './path.ts';
import {
  attributeOf,
  constant,
  fromAttribute,
  type LocalVariable,
  PlanFailure,
  type Planned,
  type Planning,
  refuse,
  required,
} from './planning.ts';

// Names, and selections from them.

/** Plans a name, also a dotted one. */
export function planName(planning: Planning, { id }: Expression): Planned {
  const reference = planning.checked.references[id];
  switch (reference?.kind) {
    case 'constant':
      return constant(reference.value);
    case 'type':
      return planTypeName(planning, reference.name);
    case 'variable':
      // A variable that holds a type is looked up among the types, where it cannot be.
      return planning.checked.types[id]?.kind === 'type'
        ? planTypeName(planning, reference.name)
        : fromAttribute({ root: variableOf(planning, reference), qualifiers: [] });
    default:
      return refuse();
  }
}

function planTypeName({ environment }: Planning, name: string): Planned {
  const type = environment.typeValue(name);
  if (type === undefined) throw new PlanFailure(`reference to undefined type: ${name}`);
  return constant(new TypeValue(type));
}

/** The variable that a name means. */
export function variableOf(
  planning: Planning,
  { name, root }: Extract<Reference, { kind: 'variable' }>,
): VariableRoot {
  const local = root ? undefined : localVariable(planning, name);
  if (local !== undefined) {
    const { slot, initialize, host } = local;
    return {
      kind: 'variable',
      name,
      slot,
      isData: false,
      isHidden: false,
      planning,
      initialize,
      host,
    };
  }
  let slot = planning.globals.get(name);
  if (slot === undefined) {
    slot = planning.slots++;
    planning.globals.set(name, slot);
  }
  const { host } = planning.environment;
  return {
    kind: 'variable',
    name,
    slot,
    host: host && { type: host.typeOf(name), variables: host, list: undefined },
    isData: true,
    isHidden: root,
    planning,
    initialize: undefined,
  };
}

function localVariable({ locals }: Planning, name: string): LocalVariable | undefined {
  for (let index = locals.length - 1; index >= 0; index--) {
    if (locals[index]?.name === name) return locals[index];
  }
  return undefined;
}

/** Plans `operand.field` and `has(operand.field)`. */
export function planSelect(planning: Planning, expression: SelectExpression): Planned {
  const { id, operand, field, test } = expression;
  const { checked, environment } = planning;
  if (checked.references[id] !== undefined) return planName(planning, expression);
  const type = checked.types[operand.id];
  const fields = type?.kind === 'struct' ? environment.fieldReader(type.name) : undefined;
  const key = { constant: field };
  return qualified(planning.plan(operand), { key, optional: false, test, fields });
}

function qualified(planned: Planned, qualifier: Qualifier): Planned {
  const attribute = extend(attributeOf(planned), qualifier);
  return fromAttribute(attribute, qualifier.test ? planPresenceTest : planAttribute);
}

/** Plans `target[key]` and, `optional`, `target[?key]` and `target.?key`. */
export function planIndex(
  planning: Planning,
  [target, index]: readonly Expression[],
  optional: boolean,
): Planned {
  const operand = planning.plan(required(target));
  const planned = planning.plan(required(index));
  if (planned.constant !== undefined && !isKey(planned.constant)) {
    throw new PlanFailure(`invalid qualifier type: ${goTypeName(planned.constant)}`);
  }
  const key =
    planned.constant === undefined
      ? { evaluate: planKey(attributeOf(planned)) }
      : { constant: planned.constant };
  const keyAtRoot = (): Qualifier['key'] =>
    planned.constant === undefined ? { evaluate: planKeyAtRoot(planning, required(index)) } : key;
  return qualified(operand, { key, keyAtRoot, optional, test: false });
}

/** Plans a key where no local variable can be seen; it costs nothing, since cel-go does not see it either. */
function planKeyAtRoot(planning: Planning, index: Expression): Evaluate {
  const hidden = planning.locals.splice(0);
  const evaluate = planKey(attributeOf(planning.plan(index)));
  planning.locals.push(...hidden);
  return (frame) => {
    const { cost } = frame;
    const key = evaluate(frame);
    frame.cost = cost;
    return key;
  };
}

/** Plans `condition ? whenTrue : whenFalse`. */
export function planChoice(
  planning: Planning,
  [condition, whenTrue, whenFalse]: readonly Expression[],
): Planned {
  const side = (expression: Expression | undefined): Attribute =>
    attributeOf(planning.plan(required(expression)));
  return fromAttribute({
    root: {
      kind: 'choice',
      condition: planning.plan(required(condition)).evaluate,
      whenTrue: side(whenTrue),
      whenFalse: side(whenFalse),
    },
    qualifiers: [],
  });
}
