import { listOf, member } from '@kubeadmit/apimachinery';
import { closest, didYouMean, lazily } from '@kubeadmit/base';
import { loopMacros } from '@kubeadmit/cel/syntax';
import { baseEnvironment, isPolicyKind } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import { type CompilerCause, unknownName } from '../issue/compiler-cause.ts';
import { foreignFunction, foreignFunctions } from './foreign-words.ts';
import { policyVariables } from './policy-variables.ts';

export interface ExpressionError {
  /** Offset in the expression, in UTF-16 units: of a call that of its parenthesis. */
  readonly offset: number;
  readonly message: string;
  readonly cause: CompilerCause;
}

/** The names that expressions of an object may use. */
export interface KnownNames {
  /** Variables of the environment. */
  readonly environment: readonly string[];
  /** Variables of the policy, which are fields of `variables`. */
  readonly variables: readonly string[];
  /** Types whose values expressions make. */
  readonly types: readonly string[];
}

/** The names that expressions of an object may use; undefined for kinds whose names are not known. */
export function namesIn({ kind, object }: Manifest): KnownNames | undefined {
  if (kind === 'CustomResourceDefinition') {
    return { environment: ['self', 'oldSelf'], variables: [], types: [] };
  }
  // Kyverno's expressions have different functions.
  if (!isPolicyKind(kind)) return undefined;
  const variables = member(member(object, 'spec'), 'variables');
  const names = listOf(variables).map((each) => member(each, 'name'));
  return {
    environment: policyVariables,
    variables: names.filter((name) => typeof name === 'string'),
    types: kind === 'MutatingAdmissionPolicy' ? ['Object', 'JSONPatch'] : [],
  };
}

/**
 * Adds the likely name to errors about unknown names. Errors inside a loop whose macro is misspelt are omitted,
 * because its variable is unknown only for that reason.
 */
export function withNearestNames<Found extends ExpressionError>(
  errors: readonly Found[],
  expression: string,
  known: KnownNames | undefined,
): readonly Found[] {
  if (known === undefined) return errors;
  const cascades = new Set<string>();
  const nameOf = ({ cause }: ExpressionError): string => unknownName(cause) ?? '';
  const unknown = new Set(errors.map(nameOf));
  const told = errors.map((error) => {
    const place = placeOfName(expression, error.offset, nameOf(error));
    if (place === undefined) return error;
    const { qualifier, firstArgument = '' } = place;
    const loopVariable = unknown.has(firstArgument) ? firstArgument : undefined;
    if (isLaterVariable(place, known)) {
      return {
        ...error,
        message: `${error.message} (a variable can only use variables before it)`,
      };
    }
    const advice = qualifier === undefined ? missingField(place.name, known) : undefined;
    if (advice !== undefined) return { ...error, message: `${error.message} (${advice})` };
    const meant = meantName(place, { known, expression, isLoop: loopVariable !== undefined });
    // Of a name that is known, a later version is meant.
    if (meant === undefined || meant === place.name) return error;
    if (loopVariable !== undefined) cascades.add(loopVariable);
    if (qualifier !== undefined && meant.startsWith(`${qualifier}.`)) cascades.add(qualifier);
    return { ...error, message: `${error.message}${didYouMean(meant)}` };
  });
  return told.filter((error) => !cascades.has(nameOf(error)));
}

/** The field without which a policy has no such variable. */
function missingField(name: string, { environment, variables }: KnownNames): string | undefined {
  if (!environment.includes(name)) return undefined;
  if (name === 'params') return 'set `spec.paramKind` to use parameters';
  const isMissing = name === 'variables' && variables.length === 0;
  return isMissing ? 'the policy has no `spec.variables`' : undefined;
}

/** The use of an unknown name. */
interface UnknownName {
  readonly name: string;
  readonly use: 'variable' | 'function' | 'method' | 'field' | 'type';
  /** The name before the dot. */
  readonly qualifier?: string | undefined;
  /** The first of several arguments, where it is a name. */
  readonly firstArgument?: string | undefined;
}

function placeOfName(text: string, offset: number, name: string): UnknownName | undefined {
  if (name === '') return undefined;
  const before = text.slice(0, offset).trimEnd();
  switch (text[offset]) {
    case '.':
      return { name, use: 'field', qualifier: lastName.exec(before)?.[1] };
    case '{':
      return before.endsWith(name) ? { name, use: 'type' } : undefined;
    case '(': {
      if (!before.endsWith(name)) return undefined;
      const operand = before.slice(0, -name.length).trimEnd();
      if (!operand.endsWith('.')) return { name, use: 'function' };
      const qualifier = lastName.exec(operand.slice(0, -1).trimEnd())?.[1];
      const firstArgument = /^\(\s*([A-Za-z_]\w*)\s*,/.exec(text.slice(offset))?.[1];
      return { name, use: 'method', qualifier, firstArgument };
    }
    default:
      return text.startsWith(name, offset) ? { name, use: 'variable' } : undefined;
  }
}

/** A name that is not a field of something else. */
const lastName = /(?:^|[^\w.])([A-Za-z_]\w*)$/;

/** Whether a field of `variables` is there, only not yet. */
function isLaterVariable({ name, use, qualifier }: UnknownName, known: KnownNames): boolean {
  return use === 'field' && qualifier === 'variables' && known.variables.includes(name);
}

interface Sought {
  readonly known: KnownNames;
  readonly expression: string;
  /** Whether it declares a variable. */
  readonly isLoop: boolean;
}

function meantName(
  { name, use, qualifier }: UnknownName,
  { known: { environment, variables, types }, expression, isLoop }: Sought,
): string | undefined {
  switch (use) {
    case 'type':
      return closest(name, types);
    case 'field':
      return qualifier === 'variables' ? closest(name, variables) : undefined;
    case 'variable': {
      const other = foreignRoots.get(name) ?? '';
      if (environment.includes(other)) return other;
      const near = closest(name, [...environment, ...loopVariables(expression)]);
      const own = closest(name, variables);
      return near ?? (own && `variables.${own}`);
    }
    default:
      return meantFunction(name, { isMethod: use === 'method', qualifier, isLoop });
  }
}

function meantFunction(
  name: string,
  {
    isMethod,
    qualifier,
    isLoop,
  }: {
    readonly isMethod: boolean;
    readonly qualifier: string | undefined;
    readonly isLoop: boolean;
  },
): string | undefined {
  const { functions, macros } = knownFunctions();
  const ofSpace = functions.filter((each) => each.startsWith(`${qualifier}.`));
  if (ofSpace.length > 0) return closest(`${qualifier}.${name}`, ofSpace);
  const written = isMethod ? `.${name}` : name;
  const foreign = foreignFunction(written);
  if (foreign !== undefined) return foreign.replace(/^\./, '');
  const plain = functions.filter((each) => !each.includes('.'));
  const near = closest(name, isLoop ? macros : [...plain, ...macros]);
  const likeForeign = closest(written, foreignFunctions) ?? '';
  return near ?? foreignFunction(likeForeign)?.replace(/^\./, '');
}

/** The root of the data where policies and definitions call it by different names. */
const foreignRoots: ReadonlyMap<string, string> = new Map([
  ['self', 'object'],
  ['oldSelf', 'oldObject'],
  ['object', 'self'],
  ['oldObject', 'oldSelf'],
]);

/** The first variable of each loop in an expression. */
function loopVariables(text: string): readonly string[] {
  const first = /\.([A-Za-z_]\w*)\(\s*([A-Za-z_]\w*)\s*,/g;
  return Array.from(text.matchAll(first), ([, macro = '', name = '']) =>
    loopMacros.has(macro) ? name : '',
  ).filter((name) => name !== '');
}

/** The functions that Kubernetes provides, without operators. */
const knownFunctions = lazily(() => {
  const { functions, macros } = baseEnvironment().definitions();
  return {
    functions: functions.map(({ name }) => name).filter((name) => /^[A-Za-z][\w.]*$/.test(name)),
    macros: macros.map(({ name }) => name),
  };
});
