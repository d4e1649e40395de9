import { getOrMake } from '@kubeadmit/base';
import type { Type } from '@kubeadmit/cel';
import { childrenOf, type Expression } from '@kubeadmit/cel/syntax';
import { dynType } from '@kubeadmit/cel/types';
import { variablesTypeName } from '../cel/dialect.ts';
import { functionNamed, wordsOfFunction } from '../cel/function-list.ts';
import type { KindEnvironment } from '../cel/kind-environment.ts';
import { type CelToken, celTokens, tokenAt } from '../cel/tokens.ts';
import { contextAt, placeholder } from '../cel/unfinished.ts';
import { typeLabel } from '../fields/type-label.ts';
import { type ExpressionAt, rangeIn } from '../lookup/expression-at.ts';
import { fieldNamed, wordsOf } from '../lookup/fields-of-type.ts';
import type { ServiceContext } from '../service/service-context.ts';
import { codeBlock } from '../text/markdown.ts';
import type { Hover } from '../workspace/protocol.ts';
import { type Meaning, structMeaning } from './hover-struct.ts';
import {
  type Checked,
  declaredLocal,
  isAtToken,
  isNamed,
  known,
  typeOfCall,
} from './node-at-token.ts';

/** Describes a token of an expression: its type for each kind, and its meaning. */
export function hoverExpression(context: ServiceContext, found: ExpressionAt): Hover | undefined {
  const { scalar, at, policy } = found;
  const tokens = celTokens(scalar.value);
  const token = tokenAt(tokens, at);
  if (token === undefined || token.kind === 'comment' || token.kind === 'other') return undefined;
  const perKind = new Map<string, string[]>();
  let words: string | undefined;
  for (const environment of context.environments(policy)) {
    const meaning = meaningOf(context, found, environment, token, tokens);
    if (meaning === undefined) continue;
    words ??= meaning.words;
    getOrMake(perKind, meaning.label, () => []).push(environment.kind?.kind ?? '');
  }
  if (perKind.size === 0) return undefined;
  const environments = context.environments(policy);
  const heads = [...perKind].map(([label, kinds]) => {
    const names = [...new Set(kinds)].join(', ');
    if (perKind.size > 1) return `${label}  // ${names}`;
    return kinds.length < environments.length ? `${label}  // only ${names}` : label;
  });
  const value = `${codeBlock(heads.join('\n'))}${words === undefined ? '' : `\n\n${words}`}`;
  return { contents: { kind: 'markdown', value }, range: rangeIn(found, token) };
}

function meaningOf(
  context: ServiceContext,
  found: ExpressionAt,
  environment: KindEnvironment,
  token: CelToken,
  tokens: readonly CelToken[],
): Meaning | undefined {
  const text = found.scalar.value;
  const isCalled = nextTo(tokens, token)?.text === '(' && token.kind === 'name';
  if (isCalled) {
    const meaning = functionMeaning(context, found, token, tokens);
    if (meaning !== undefined) {
      const type = typeOfCall(
        environment.check(text),
        nextTo(tokens, token)?.start ?? -1,
        token.text,
      );
      return type === undefined
        ? meaning
        : { ...meaning, label: `${meaning.label}\n// ${typeLabel(type)}` };
    }
  }
  // The first half of a name such as `math.greatest` stands for nothing by itself.
  const half = nextTo(tokens, token);
  const other = half?.text === '.' ? nextTo(tokens, half) : undefined;
  if (
    other !== undefined &&
    functionNamed(context.dialectOf(found.policy), `${token.text}.${other.text}`)
  ) {
    return functionMeaning(context, found, other, tokens);
  }
  const part = structMeaning(context, environment, token, tokens);
  if (part !== undefined) return part;
  const local = declaredLocal(environment.check(text), token);
  if (local !== undefined)
    return { label: `${local.name}: ${typeLabel(local.type)}`, words: 'The variable of a loop.' };
  const whole = environment.check(text);
  if (whole !== undefined) {
    return meaningIn(context, found, { checked: whole, environment }, token, (node) =>
      isAtToken(node, token, tokens),
    );
  }
  if (token.kind !== 'name') return undefined;
  // Complete invalid text up to the token.
  for (const candidate of contextAt(text, token.end).candidates) {
    const checked = environment.check(candidate.replace(placeholder, token.text));
    if (checked === undefined) continue;
    const meaning = meaningIn(context, found, { checked, environment }, token, (node) =>
      isNamed(node, token.text),
    );
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

function nextTo(tokens: readonly CelToken[], token: CelToken): CelToken | undefined {
  return tokens[tokens.indexOf(token) + 1];
}

function functionMeaning(
  context: ServiceContext,
  { policy }: ExpressionAt,
  token: CelToken,
  tokens: readonly CelToken[],
): Meaning | undefined {
  const at = tokens.indexOf(token);
  const qualifier =
    tokens[at - 1]?.text === '.' && tokens[at - 2]?.kind === 'name'
      ? `${tokens[at - 2]?.text}.`
      : '';
  const dialect = context.dialectOf(policy);
  const info = functionNamed(dialect, qualifier + token.text) ?? functionNamed(dialect, token.text);
  if (info === undefined) return undefined;
  // `resource.get` and `http.get` are two functions of one name.
  const head = `${qualifier}${info.name.split('.').at(-1)}(`;
  const own = qualifier === '' ? [] : info.forms.filter(({ label }) => label.startsWith(head));
  const forms = own.length > 0 ? own : info.forms;
  return {
    label: forms.map(({ label }) => label).join('\n'),
    words: wordsOfFunction(dialect, info, forms[0]),
  };
}

function meaningIn(
  context: ServiceContext,
  { policy }: ExpressionAt,
  { checked, environment }: { readonly checked: Checked; readonly environment: KindEnvironment },
  token: CelToken,
  isMeant: (node: Expression) => boolean,
): Meaning | undefined {
  const writing = (node: Expression): Expression | undefined => {
    if (isMeant(node)) return node;
    for (const child of childrenOf(node)) {
      const found = writing(child);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const node = writing(checked.expression);
  if (node === undefined) return undefined;
  const type = known(checked.types[node.id]) ?? dynType;
  if (node.kind === 'select') {
    const { operand, field, test } = node;
    return fieldMeaning(context, policy, checked, operand, field, test ? undefined : type);
  }
  if (node.kind === 'call' && node.function === '_?._' && node.arguments[0] !== undefined) {
    const [operand, field] = node.arguments;
    const name = field?.kind === 'literal' ? String(field.value) : token.text;
    return fieldMeaning(context, policy, checked, operand, name, type);
  }
  if (node.kind === 'identifier') {
    const { variableWords } = context.words;
    const words = Object.hasOwn(variableWords, node.name) ? variableWords[node.name] : undefined;
    const declared = known(checked.types[node.id]) ?? environment.names.get(node.name);
    return declared && { label: `${node.name}: ${typeLabel(declared)}`, words };
  }
  const text = node.kind === 'literal' ? token.text.slice(0, 60) : token.text;
  return { label: `${text}: ${typeLabel(type)}` };
}

function fieldMeaning(
  context: ServiceContext,
  policy: ExpressionAt['policy'],
  checked: Checked,
  operand: Expression,
  field: string,
  given: Type | undefined,
): Meaning | undefined {
  const target = checked.types[operand.id] ?? dynType;
  const owner = target.name === 'optional_type' ? (target.parameters[0] ?? dynType) : target;
  if (owner.name === variablesTypeName) {
    const variable = policy.variables.find(({ name }) => name === field);
    const text = (policy.object.part.textOf(variable?.expression) ?? '').trim();
    return {
      label: `variables.${field}: ${typeLabel(given ?? dynType)}`,
      words: text === '' ? undefined : codeBlock(text),
    };
  }
  const info = fieldNamed(owner, field, context);
  if (info === undefined && owner.kind === 'struct' && context.types.has(owner.name))
    return undefined;
  // The field that `has` tests is described as if it were read.
  const type = given ?? info?.type ?? owner.parameters[1] ?? dynType;
  const about =
    info !== undefined && /quantity|integer or string|base64|any value/.test(info.about)
      ? `  // ${info.about}`
      : '';
  return {
    label: `${owner.kind === 'struct' ? `${typeLabel(owner)}.` : ''}${field}: ${typeLabel(type)}${about}`,
    words: info && wordsOf(context, info),
  };
}
