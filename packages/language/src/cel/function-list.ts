import type { FunctionDeclaration, Overload, Type } from '@kubeadmit/cel';
import type { Macro } from '@kubeadmit/cel/syntax';
import { typeLabel } from '../fields/type-label.ts';
import { costWords } from './costs.ts';
import type { Dialect } from './dialect.ts';

/** One way to call a function. */
export interface CallForm {
  /** `text.startsWith(text) → bool`. */
  readonly label: string;
  /** The type of the receiver; `undefined` for functions that have none, or take any. */
  readonly receiver: Type | undefined;
  readonly isMember: boolean;
  /** The range of each argument in the label. */
  readonly parameters: readonly (readonly [number, number])[];
  readonly result: string;
}

/** A function or macro by the name that calls it. */
export interface FunctionInfo {
  readonly name: string;
  readonly isMacro: boolean;
  readonly forms: readonly CallForm[];
}

/** How the macros are called. */
const macroForms: Readonly<
  Record<string, readonly (readonly [parameters: string, result: string])[]>
> = {
  has: [['field', 'bool']],
  all: [
    ['element, condition', 'bool'],
    ['index, element, condition', 'bool'],
  ],
  exists: [
    ['element, condition', 'bool'],
    ['index, element, condition', 'bool'],
  ],
  exists_one: [['element, condition', 'bool']],
  existsOne: [
    ['element, condition', 'bool'],
    ['index, element, condition', 'bool'],
  ],
  filter: [['element, condition', 'list']],
  map: [
    ['element, value', 'list'],
    ['element, condition, value', 'list'],
  ],
  transformList: [
    ['index, element, value', 'list'],
    ['index, element, condition, value', 'list'],
  ],
  transformMap: [
    ['key, element, value', 'map'],
    ['key, element, condition, value', 'map'],
  ],
  transformMapEntry: [
    ['key, element, entry', 'map'],
    ['key, element, condition, entry', 'map'],
  ],
  sortBy: [['element, key', 'list']],
  optMap: [['value, expression', 'optional']],
  optFlatMap: [['value, expression', 'optional']],
  bind: [['name, value, expression', 'any']],
  orValue: [['value', 'any']],
  greatest: [['number, number', 'number']],
  least: [['number, number', 'number']],
};

/** Macros that are written as members of a name, which stands for nothing else. */
const qualifiers: Readonly<Record<string, string>> = {
  bind: 'cel.',
  greatest: 'math.',
  least: 'math.',
};

const lists = new WeakMap<Dialect, ReadonlyMap<string, FunctionInfo>>();

/** The functions and macros that new expressions may use, by their names. */
export function functionsOf(dialect: Dialect): ReadonlyMap<string, FunctionInfo> {
  const known = lists.get(dialect) ?? makeList(dialect);
  lists.set(dialect, known);
  return known;
}

/** The function of a name; Kyverno has some in upper case as well, which is another spelling: `resource.Get`. */
export function functionNamed(dialect: Dialect, name: string): FunctionInfo | undefined {
  const functions = functionsOf(dialect);
  return functions.get(name) ?? functions.get(name.charAt(0).toLowerCase() + name.slice(1));
}

/** Describes a function and the cost of a call; `form` is the form of the call. */
export function wordsOfFunction(
  { words, hasCosts }: Dialect,
  { name }: FunctionInfo,
  form: CallForm | undefined,
): string {
  const head = form?.label.slice(0, form.label.indexOf('(')) ?? name;
  const { functionWords } = words;
  const own = [head, name].find((key) => Object.hasOwn(functionWords, key));
  return [own && functionWords[own], hasCosts ? `Cost: ${costWords(words, name)}.` : undefined]
    .filter((each) => each !== undefined)
    .join('\n\n');
}

function makeList({ libraries }: Dialect): ReadonlyMap<string, FunctionInfo> {
  const found = new Map<string, FunctionInfo>();
  const add = (name: string, isMacro: boolean, forms: readonly CallForm[]): void => {
    const before = found.get(name)?.forms ?? [];
    const labels = new Set(before.map(({ label }) => label));
    const more = forms.filter(({ label }) => !labels.has(label));
    found.set(name, { name, isMacro, forms: [...before, ...more] });
  };
  for (const library of libraries) {
    for (const declaration of library.functions ?? []) {
      if (isCalled(declaration))
        add(
          declaration.name,
          false,
          declaration.overloads.map((each) => formOf(declaration.name, each)),
        );
    }
    for (const macro of library.macros ?? []) {
      const qualifier = qualifiers[macro.name] ?? '';
      add(qualifier + macro.name, true, formsOfMacro(macro, qualifier));
    }
  }
  return found;
}

function isCalled({ name, internal }: FunctionDeclaration): boolean {
  // Names in upper case are other spellings.
  return internal !== true && /^[a-z][^@]*$/.test(name);
}

function formOf(name: string, { parameters, result, member }: Overload): CallForm {
  const types = parameters.map(typeLabel);
  const isMember = member === true;
  return labelled(
    isMember ? `${types[0]}.${name}` : name,
    isMember ? types.slice(1) : types,
    typeLabel(result),
    {
      receiver: isMember ? parameters[0] : undefined,
      isMember,
    },
  );
}

function formsOfMacro({ name, arity, member }: Macro, qualifier: string): readonly CallForm[] {
  const receiver = /^o(?:pt|r)/.test(name) ? 'optional' : 'list';
  const isMember = member && qualifier === '';
  return (macroForms[name] ?? [])
    .map(([parameters, result]) => ({ parameters: parameters.split(', '), result }))
    .filter(({ parameters }) => arity === 'any' || parameters.length === arity)
    .map(({ parameters, result }) =>
      labelled(isMember ? `${receiver}.${name}` : qualifier + name, parameters, result, {
        receiver: undefined,
        isMember,
      }),
    );
}

function labelled(
  head: string,
  parameters: readonly string[],
  result: string,
  rest: Pick<CallForm, 'receiver' | 'isMember'>,
): CallForm {
  let label = `${head}(`;
  const places = parameters.map((parameter, i): readonly [number, number] => {
    if (i > 0) label += ', ';
    const start = label.length;
    label += parameter;
    return [start, label.length];
  });
  return { ...rest, label: `${label}) → ${result}`, parameters: places, result };
}

/** Whether a value of a type can be the receiver of a call. */
export function takesReceiver({ forms, isMacro, name }: FunctionInfo, type: Type): boolean {
  if (isDynamicLike(type)) return forms.some(({ isMember }) => isMember);
  if (isMacro) {
    if (name.startsWith('o')) return type.name === 'optional_type';
    return forms.some(({ isMember }) => isMember) && (type.kind === 'list' || type.kind === 'map');
  }
  return forms.some(
    ({ isMember, receiver }) => isMember && receiver !== undefined && fits(receiver, type),
  );
}

/** Whether a value of a type can be the receiver of one form of a call. */
export function takesForm({ receiver }: CallForm, type: Type): boolean {
  return receiver === undefined || fits(receiver, type);
}

function isDynamicLike({ kind }: Type): boolean {
  return kind === 'dyn' || kind === 'any' || kind === 'error';
}

function fits(wanted: Type, given: Type): boolean {
  // Functions of any value are not offered for a type that has its own functions.
  if (given.kind === 'opaque' && isDynamicLike(wanted)) return false;
  if (wanted.kind === 'param' || isDynamicLike(wanted) || isDynamicLike(given)) return true;
  if (
    wanted.kind !== given.kind ||
    (wanted.kind !== 'list' && wanted.kind !== 'map' && wanted.name !== given.name)
  )
    return false;
  return wanted.parameters.every((each, i) => {
    const other = given.parameters[i];
    return other === undefined || fits(each, other);
  });
}
