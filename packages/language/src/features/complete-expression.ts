import { dynType, type Expression, isDynamic, isOptionalType, type Type } from '@kubeadmit/cel';
import { findNode } from '../cel/find-node.ts';
import { type FunctionInfo, functionsFor, takesForm, takesReceiver } from '../cel/function-list.ts';
import { type KindEnvironment, localsAt, variablesTypeName } from '../cel/kind-environment.ts';
import { celTokens } from '../cel/tokens.ts';
import { typeLabel } from '../cel/type-label.ts';
import { type CursorContext, contextAt, openBrackets, placeholder } from '../cel/unfinished.ts';
import type { FieldInfo } from '../fields/field-info.ts';
import { fieldsOfType, wordsOf } from '../fields/fields-of-type.ts';
import { type CompletionItem, completionKinds } from '../protocol.ts';
import type { ServiceContext } from '../service-context.ts';
import { costWords } from '../words/costs.ts';
import { enumValues, fieldValues, mapKeys } from '../words/enum-values.ts';
import { functionWords } from '../words/functions.ts';
import { valueWords } from '../words/policy-fields.ts';
import { requestWords, variableWords } from '../words/variables.ts';
import type { ExpressionAt } from './expression-at.ts';
import { isLike } from './is-like.ts';
import { objectFields } from './object-fields.ts';

/** What could stand at a place, before it has a range. */
interface Proposal {
  readonly label: string;
  readonly kind: number;
  readonly detail?: string;
  readonly words?: string | undefined;
  readonly insert?: string;
  readonly isSnippet?: boolean;
  /** What comes first. */
  readonly rank: number;
}

/** What can be written at a place of an expression. */
export function completeExpression(
  context: ServiceContext,
  found: ExpressionAt,
): readonly CompletionItem[] {
  const { scalar, at, document, part } = found;
  const cursor = contextAt(scalar.value, at);
  const proposals = proposalsFor(context, found, cursor);
  const range = document.range(
    part,
    scalar.toDocument(cursor.start),
    scalar.toDocument(cursor.end),
  );
  return proposals
    .filter(({ label }) => isLike(label, cursor.word))
    .map(({ label, kind, detail, words, insert = label, isSnippet = false, rank }) => ({
      label,
      kind,
      ...(detail === undefined ? {} : { detail }),
      ...(words === undefined
        ? {}
        : { documentation: { kind: 'markdown', value: words } as const }),
      sortText: `${rank}${label}`,
      insertTextFormat: isSnippet ? 2 : 1,
      textEdit: { range, newText: insert },
    }));
}

function proposalsFor(
  context: ServiceContext,
  found: ExpressionAt,
  cursor: CursorContext,
): readonly Proposal[] {
  switch (cursor.kind) {
    case 'none':
      return [];
    case 'field':
      return literalFields(context, found, cursor);
    case 'name':
      return isLoopName(found, cursor) ? [] : names(context, found, cursor);
    case 'member':
      return members(context, found, cursor);
    case 'text':
      return texts(context, found, cursor);
    default:
      return cursor.kind satisfies never;
  }
}

const loops: ReadonlySet<string> = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'filter',
  'map',
  'sortBy',
  'transformList',
  'transformMap',
  'transformMapEntry',
  'optMap',
  'optFlatMap',
  'bind',
]);

/** Whether the cursor is where a macro names its variable. */
function isLoopName({ scalar }: ExpressionAt, cursor: CursorContext): boolean {
  const before = celTokens(scalar.value.slice(0, cursor.start));
  const open = openBrackets(before).at(-1);
  if (open?.token.text !== '(' || open.index !== before.length - 1) return false;
  const name = before[open.index - 1];
  return name?.kind === 'name' && before[open.index - 2]?.text === '.' && loops.has(name.text);
}

/** Names at the begin of an operand: loop variables, variables, functions, types. */
function names(
  context: ServiceContext,
  found: ExpressionAt,
  cursor: CursorContext,
): readonly Proposal[] {
  const environments = context.environments(found.policy);
  const [first] = environments;
  const proposals = new Map<string, Proposal>();
  const add = (proposal: Proposal): void => {
    if (!proposals.has(proposal.label)) proposals.set(proposal.label, proposal);
  };
  for (const environment of environments) {
    for (const { name, type } of localsOf(environment, cursor)) {
      add({ label: name, kind: completionKinds.variable, detail: typeLabel(type), rank: 0 });
    }
  }
  for (const [name, type] of first?.names ?? []) {
    if (name.includes('.')) continue;
    if (name === 'variables' && found.view.variables === 0) continue;
    const isObject = name === 'object' || name === 'oldObject';
    const detail = isObject ? kindsText(environments) : typeLabel(type);
    add({
      label: name,
      kind: completionKinds.variable,
      detail,
      words: variableWords[name],
      rank: 1,
    });
  }
  for (const info of functionsFor(context.schemas.minor, found.policy.isMutating).values()) {
    if (info.forms.some(({ isMember }) => !isMember)) add(functionProposal(info, false, 3));
  }
  for (const label of ['true', 'false', 'null'])
    add({ label, kind: completionKinds.keyword, rank: 4 });
  if (found.policy.isMutating) {
    add({
      label: 'Object',
      kind: completionKinds.class,
      words: 'Part of an apply configuration: `Object{spec: Object.spec{replicas: 1}}`.',
      rank: 2,
    });
    add({
      label: 'JSONPatch',
      kind: completionKinds.class,
      words: 'One operation of a JSON patch: `JSONPatch{op: "add", path: "/spec/x", value: 1}`.',
      rank: 2,
    });
  }
  return [...proposals.values()];
}

function kindsText(environments: readonly KindEnvironment[]): string {
  const kinds = environments.flatMap(({ kind }) => kind?.kind ?? []);
  return kinds.length === 0 ? 'any kind' : [...new Set(kinds)].join(', ');
}

function localsOf(environment: KindEnvironment, { candidates }: CursorContext) {
  for (const text of candidates) {
    const checked = environment.check(text);
    if (checked === undefined) continue;
    const locals = localsAt(
      checked,
      (node) => node.kind === 'identifier' && node.name === placeholder,
    );
    if (locals !== undefined) return locals;
  }
  return [];
}

function functionProposal(
  info: FunctionInfo,
  isMember: boolean,
  rank: number,
  receiver?: Type,
): Proposal {
  const all = info.forms.filter((form) => form.isMember === isMember);
  const fitting = receiver === undefined ? all : all.filter((form) => takesForm(form, receiver));
  const forms = fitting.length > 0 ? fitting : all;
  const [first] = forms;
  const hasArguments = forms.some(({ parameters }) => parameters.length > 0);
  const words = functionWords[info.name];
  const signatures = forms.map(({ label }) => label).join('\n');
  const insert = insertOf(info, forms[0]?.parameters.length ?? 0);
  return {
    label: info.name,
    kind: isMember ? completionKinds.method : completionKinds.function,
    ...(first === undefined ? {} : { detail: first.label }),
    words: `\`\`\`cel\n${signatures}\n\`\`\`\n${words === undefined ? '' : `\n${words}\n`}\nCost: ${costWords(info.name)}.`,
    insert: hasArguments ? insert : `${info.name}()`,
    isSnippet: hasArguments,
    rank,
  };
}

function insertOf({ name, isMacro }: FunctionInfo, count: number): string {
  if (isMacro && name !== 'has' && count >= 2) {
    const rest = Array.from({ length: count - 1 }, (_, i) => `\${${i + 2}}`).join(', ');
    return `${name}(\${1:e}, ${rest})`;
  }
  return `${name}($1)`;
}

/** What stands behind a dot: fields, with the kinds that have them where they differ, and functions. */
function members(
  context: ServiceContext,
  found: ExpressionAt,
  cursor: CursorContext,
): readonly Proposal[] {
  const environments = context.environments(found.policy);
  const literal = /(?:^|[^\w.])Object((?:\.\w+)*)\.$/.exec(
    found.scalar.value.slice(0, cursor.start),
  )?.[1];
  if (found.policy.isMutating && literal !== undefined)
    return objectTypes(context, environments, literal);
  const fields = new Map<string, { info: FieldInfo; kinds: (string | undefined)[] }>();
  const proposals: Proposal[] = [];
  const functions = new Map<string, { info: FunctionInfo; type: Type }>();
  let known = 0;
  for (const environment of environments) {
    const type = operandType(environment, cursor);
    if (type === undefined || type.kind === 'error') continue;
    known++;
    const target = isOptionalType(type) ? (type.parameters[0] ?? dynType) : type;
    for (const info of namedFields(context, found, environment, target, cursor)) {
      const before = fields.get(info.escaped ?? info.name);
      if (before === undefined)
        fields.set(info.escaped ?? info.name, { info, kinds: [environment.kind?.kind] });
      else before.kinds.push(environment.kind?.kind);
    }
    for (const info of functionsFor(context.schemas.minor, found.policy.isMutating).values()) {
      if (takesReceiver(info, type)) functions.set(info.name, { info, type });
    }
  }
  for (const [label, { info, kinds }] of fields) {
    const only = kinds.length < known ? ` · only ${[...new Set(kinds)].join(', ')}` : '';
    proposals.push({
      label,
      kind: completionKinds.field,
      detail: `${info.about}${only}`,
      words: wordsOf(info),
      rank: 0,
    });
  }
  const prefix = qualifierOf(found, cursor);
  for (const info of qualifiedFunctions(context, found, prefix)) {
    proposals.push({
      ...functionProposal(info, false, 1),
      label: info.name.slice(prefix.length),
      insert: `${info.name.slice(prefix.length)}($1)`,
    });
  }
  for (const { info, type } of functions.values())
    proposals.push(functionProposal(info, true, 2, type));
  return proposals;
}

/** `sets.` of `sets.contains`, as far as it is written. */
function qualifierOf({ scalar }: ExpressionAt, { start }: CursorContext): string {
  return /(?:^|[^\w.])([a-z]\w*\.)$/.exec(scalar.value.slice(0, start))?.[1] ?? '';
}

function qualifiedFunctions(
  context: ServiceContext,
  { policy }: ExpressionAt,
  prefix: string,
): readonly FunctionInfo[] {
  if (prefix === '') return [];
  return [...functionsFor(context.schemas.minor, policy.isMutating).values()].filter(({ name }) =>
    name.startsWith(prefix),
  );
}

/** The fields of an operand; of `variables` those that are defined before. */
function namedFields(
  context: ServiceContext,
  found: ExpressionAt,
  environment: KindEnvironment,
  type: Type,
  cursor: CursorContext,
): readonly FieldInfo[] {
  if (isDynamic(type)) return commonFields(context, found.scalar.value.slice(0, cursor.start));
  const { policy, view } = found;
  if (type.name !== variablesTypeName)
    return fieldsOfType(type, context.types).filter(({ escaped }) => escaped !== undefined);
  return policy.variables.slice(0, view.variables).map(({ name, expression }) => {
    const own = environment.variables.get(name) ?? dynType;
    const text = policy.object.part.textOf(expression) ?? '';
    const description = `\`\`\`cel\n${text.trim()}\n\`\`\``;
    return { name, escaped: name, type: own, about: typeLabel(own), owner: '', description };
  });
}

/** What every object has, where its kind is not known. */
function commonFields({ types }: ServiceContext, before: string): readonly FieldInfo[] {
  const way = /(?:^|[^\w.])(?:object|oldObject)\.((?:metadata\.)?)$/.exec(before)?.[1];
  const fields = types.fieldsOf(way === '' ? 'core.v1.ConfigMap' : 'meta.v1.ObjectMeta');
  if (way === undefined || fields === undefined) return [];
  const common = ['apiVersion', 'kind', 'metadata'];
  return [...fields.values()].filter(({ name }) => way !== '' || common.includes(name));
}

/** The type of what stands before the dot. */
function operandType(
  environment: KindEnvironment,
  { candidates }: CursorContext,
): Type | undefined {
  for (const text of candidates) {
    const checked = environment.check(text);
    if (checked === undefined) continue;
    const operand = operandOf(checked.expression);
    if (operand === undefined) continue;
    const type = checked.types[operand.id];
    if (type !== undefined) return type;
  }
  return undefined;
}

function operandOf(root: Expression): Expression | undefined {
  const found = findNode(
    root,
    (node) =>
      (node.kind === 'select' && node.field === placeholder) ||
      (node.kind === 'call' &&
        node.function === '_?._' &&
        formatLiteral(node.arguments[1]) === placeholder),
  );
  if (found?.node.kind === 'select') return found.node.operand;
  return found?.node.kind === 'call' ? found.node.arguments[0] : undefined;
}

function formatLiteral(node: Expression | undefined): unknown {
  return node?.kind === 'literal' ? node.value : undefined;
}

/** The fields of `Object.spec{…}` that are not set yet. */
function literalFields(
  context: ServiceContext,
  { policy }: ExpressionAt,
  { literalType = '', given = [] }: CursorContext,
): readonly Proposal[] {
  if (literalType === 'JSONPatch') {
    return Object.entries(requestWords['JSONPatch'] ?? {})
      .filter(([name]) => !given.includes(name))
      .map(([label, words]) => ({
        label,
        kind: completionKinds.field,
        words,
        insert: `${label}: `,
        rank: 0,
      }));
  }
  if (literalType !== 'Object' && !literalType.startsWith('Object.')) return [];
  const path = literalType.split('.').slice(1);
  return context
    .environments(policy)
    .flatMap(({ kind }) => objectFields(context, kind, path))
    .filter(
      ({ name }, i, all) =>
        !given.includes(name) && all.findIndex((other) => other.name === name) === i,
    )
    .map((info) => ({
      label: info.escaped ?? info.name,
      kind: completionKinds.field,
      detail: info.about,
      words: wordsOf(info),
      insert: `${info.escaped ?? info.name}: `,
      rank: 0,
    }));
}

/** The object types within `Object.spec.`: fields that hold objects, or lists of them. */
function objectTypes(
  context: ServiceContext,
  environments: readonly KindEnvironment[],
  way: string,
): readonly Proposal[] {
  const path = way.split('.').filter((step) => step !== '');
  const found = environments.flatMap(({ kind }) => objectFields(context, kind, path));
  const objects = found.filter(({ type }) => {
    const inner = type.kind === 'list' || type.kind === 'map' ? type.parameters.at(-1) : type;
    return inner?.kind === 'struct';
  });
  return [...new Map(objects.map((info) => [info.name, info])).values()].map((info) => ({
    label: info.escaped ?? info.name,
    kind: completionKinds.class,
    detail: info.about,
    words: wordsOf(info),
    rank: 0,
  }));
}

/** What may stand in quotes: values of the field that it is compared with, keys of the map that it is an index of. */
function texts(
  context: ServiceContext,
  found: ExpressionAt,
  cursor: CursorContext,
): readonly Proposal[] {
  const proposals = new Map<string, Proposal>();
  for (const environment of context.environments(found.policy)) {
    for (const text of cursor.candidates) {
      const checked = environment.check(text);
      if (checked === undefined) continue;
      const place = findNode(
        checked.expression,
        (node) => node.kind === 'identifier' && node.name === placeholder,
      );
      if (place === undefined) continue;
      for (const each of textsAt(
        context,
        place.node,
        place.parents,
        (node) => checked.types[node.id] ?? dynType,
      )) {
        proposals.set(each.label, each);
      }
      break;
    }
  }
  return [...proposals.values()];
}

function textsAt(
  context: ServiceContext,
  node: Expression,
  parents: readonly Expression[],
  typeOf: (node: Expression) => Type,
): readonly Proposal[] {
  const [parent, outer] = parents;
  if (
    parent?.kind === 'call' &&
    (parent.function === '_[_]' || parent.function === '_[?_]') &&
    parent.arguments[1] === node
  ) {
    return keysOf(parent.arguments[0]);
  }
  if (parent?.kind === 'call' && parent.function === '@in' && parent.arguments[0] === node)
    return keysOf(parent.arguments[1]);
  if (parent?.kind === 'call' && (parent.function === '_==_' || parent.function === '_!=_')) {
    return valuesOf(
      context,
      parent.arguments.find((each) => each !== node),
      typeOf,
    );
  }
  if (parent?.kind === 'list' && outer?.kind === 'call' && outer.function === '@in') {
    return valuesOf(context, outer.arguments[0], typeOf);
  }
  if (parent?.kind === 'struct') {
    const field = parent.fields.find(({ value }) => value === node);
    return valueProposals(fieldValues[`${parent.name}.${field?.name}`] ?? []);
  }
  if (parent?.kind === 'call' && parent.function === 'check') {
    return valueProposals([
      'get',
      'list',
      'watch',
      'create',
      'update',
      'patch',
      'delete',
      'deletecollection',
    ]);
  }
  return [];
}

function keysOf(node: Expression | undefined): readonly Proposal[] {
  if (node?.kind !== 'select') return [];
  const name = node.field === 'annotations' ? '' : node.field;
  return valueProposals(Object.hasOwn(mapKeys, name) ? (mapKeys[name] ?? []) : []);
}

function valuesOf(
  context: ServiceContext,
  node: Expression | undefined,
  typeOf: (node: Expression) => Type,
): readonly Proposal[] {
  if (node?.kind !== 'select') return [];
  const owner = typeOf(node.operand);
  const known = fieldValues[`${owner.name}.${node.field}`];
  if (known !== undefined) return valueProposals(known);
  const info = fieldsOfType(owner, context.types).find(
    ({ escaped, name }) => escaped === node.field || name === node.field,
  );
  return valueProposals(
    info?.values ?? enumValues[info?.go ?? ''] ?? Object.keys(valueWords[info?.go ?? ''] ?? {}),
  );
}

function valueProposals(values: readonly string[]): readonly Proposal[] {
  return values.map((label) => ({ label, kind: completionKinds.value, rank: 0 }));
}
