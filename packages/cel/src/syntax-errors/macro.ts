import type { IssuePosition } from './issue.ts';
import type { ExpressionForm, ParsedExpression } from './parsed-expression.ts';

export interface MacroCall {
  readonly target: ParsedExpression | undefined;
  readonly arguments: readonly ParsedExpression[];
}

/** The result of expanding a macro: an expression, or an error about one of its parts. */
export type MacroResult =
  | { readonly form: ExpressionForm }
  | { readonly message: string; readonly position: IssuePosition };

/** A macro without its name: its checks and its expansion. */
export type Macro = (call: MacroCall) => MacroResult;

const accumulators = ['__result__', '@result'];
const overwrites = 'iteration variable overwrites accumulator variable';

function argument(call: MacroCall, index: number): ParsedExpression {
  const found = call.arguments[index];
  if (found === undefined) throw new Error('a macro was applied to a call with too few arguments');
  return found;
}

function isAccumulator({ name }: ParsedExpression): boolean {
  return name !== undefined && accumulators.includes(name);
}

/** `has(e.f)`: its argument must be a selection. */
const has: Macro = (call) => {
  const { form, position } = argument(call, 0);
  return form === 'select'
    ? { form: 'select' }
    : { message: 'invalid argument to has() macro', position };
};

/** Macros with one variable; their messages for an invalid name differ. */
function overOneVariable(notAName: string): Macro {
  return (call) => {
    const variable = argument(call, 0);
    const { position } = variable;
    if (variable.form !== 'identifier') return { message: notAName, position };
    if (isAccumulator(variable)) return { message: overwrites, position };
    return { form: 'comprehension' };
  };
}

const quantifier = overOneVariable('argument must be a simple name');
const transformation = overOneVariable('argument is not an identifier');

/** Macros with two variables, such as `m.all(k, v, p)`. */
const overTwoVariables: Macro = (call) => {
  const variables = [argument(call, 0), argument(call, 1)] as const;
  for (const { form, position } of variables) {
    if (form !== 'identifier') return { message: 'argument must be a simple name', position };
  }
  const [first, second] = variables;
  if (first.name === second.name) {
    return {
      message: `duplicate variable name: ${second.name ?? ''}`,
      position: second.position,
    };
  }
  const wrong = variables.find(isAccumulator);
  return wrong === undefined
    ? { form: 'comprehension' }
    : { message: overwrites, position: wrong.position };
};

/** `o.optMap(x, e)` and `o.optFlatMap(x, e)`. */
function overOptional(name: string): Macro {
  return (call) => {
    const { form, position } = argument(call, 0);
    if (form === 'identifier') return { form: 'call' };
    return { message: `${name}() variable name must be a simple identifier`, position };
  };
}

const sortable: readonly ExpressionForm[] = [
  'list',
  'select',
  'identifier',
  'comprehension',
  'call',
];

/** `l.sortBy(x, e)`. */
const sortBy: Macro = (call) => {
  const { target } = call;
  if (target !== undefined && !sortable.includes(target.form)) {
    const message =
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
    return { message, position: target.position };
  }
  return transformation(call);
};

/** Macros by their signature: `name(argument count)`, with a leading dot for methods. */
export const macros: Readonly<Record<string, Macro>> = {
  'has(1)': has,
  '.all(2)': quantifier,
  '.exists(2)': quantifier,
  '.exists_one(2)': quantifier,
  '.map(2)': transformation,
  '.map(3)': transformation,
  '.filter(2)': transformation,
  '.optMap(2)': overOptional('optMap'),
  '.optFlatMap(2)': overOptional('optFlatMap'),
  '.all(3)': overTwoVariables,
  '.exists(3)': overTwoVariables,
  '.existsOne(3)': overTwoVariables,
  '.exists_one(3)': overTwoVariables,
  '.transformList(3)': overTwoVariables,
  '.transformList(4)': overTwoVariables,
  '.transformMap(3)': overTwoVariables,
  '.transformMap(4)': overTwoVariables,
  '.transformMapEntry(3)': overTwoVariables,
  '.transformMapEntry(4)': overTwoVariables,
  '.sortBy(2)': sortBy,
};
