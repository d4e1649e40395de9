import type { Type } from '@kubeadmit/cel';
import { dynType } from '@kubeadmit/cel/internal';
import { requestType } from '@kubeadmit/engine/internal';
import { fieldsOfType, wordsOf } from '../fields/fields-of-type.ts';
import { kindsNamed } from '../policy/matched-kinds.ts';
import { type ObjectView, objectAt } from '../policy/object-view.ts';
import { kindsOfRule } from '../policy/policy-view.ts';
import { type CompletionItem, completionKinds } from '../protocol.ts';
import type { ServiceContext } from '../service-context.ts';
import { jmespathFunctions, templateRequest, templateVariables } from '../words/jmespath.ts';
import type { Part } from '../workspace/part.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { itemsOf, nodeAt, type OutlineNode } from '../yaml/nodes.ts';
import { isLike } from './is-like.ts';

/** The expression in JMESPath at an index of a Kyverno rule: where it begins, and what is written of it. */
export function templateAt(
  part: Part,
  offset: number,
): { readonly object: ObjectView; readonly before: string } | undefined {
  const object = objectAt(part, offset);
  if (object?.group !== 'kyverno.io') return undefined;
  const before = part.text.slice(0, offset);
  const open = before.lastIndexOf('{{');
  if (open !== -1 && !before.slice(open).includes('}}') && !before.slice(open).includes('\n')) {
    return { object, before: before.slice(open + 2) };
  }
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const field = /^\s*(?:- )?(?:list|jmesPath):\s*["']?([^"']*)$/.exec(line)?.[1];
  return field === undefined ? undefined : { object, before: field };
}

/** What can be written in `{{ … }}` of Kyverno's rules; `undefined` elsewhere. */
export function completeTemplate(
  context: ServiceContext,
  document: TextDocument,
  part: Part,
  offset: number,
): readonly CompletionItem[] | undefined {
  const found = templateAt(part, offset);
  if (found === undefined) return undefined;
  const [, chain = '', word = ''] =
    /((?:[\w@]+(?:\[[^\]]*\])?\.)*)(@|\w*)$/.exec(found.before) ?? [];
  if (/['`][^'`]*$/.test(found.before.replace(/'[^']*'|`[^`]*`/g, ''))) return [];
  const steps = chain
    .replace(/\[[^\]]*\]/g, '')
    .split('.')
    .filter((step) => step !== '');
  const rule = ruleAt(found.object, offset);
  const proposals =
    steps.length === 0 ? roots(found.object, rule) : membersOf(context, found.object, rule, steps);
  const range = document.range(part, offset - word.length, offset);
  return proposals
    .filter(({ label }) => isLike(label, word))
    .map(({ label, detail, words, kind, insert = label, rank }) => ({
      label,
      kind,
      detail,
      ...(words === undefined
        ? {}
        : { documentation: { kind: 'markdown', value: words } as const }),
      sortText: `${rank}${label}`,
      insertTextFormat: insert.includes('$1') ? 2 : 1,
      textEdit: { range, newText: insert },
    }));
}

interface Proposal {
  readonly label: string;
  readonly detail: string;
  readonly words?: string | undefined;
  readonly kind: number;
  readonly insert?: string;
  readonly rank: number;
}

function ruleAt({ root }: ObjectView, offset: number): OutlineNode | undefined {
  return itemsOf(nodeAt(root, 'spec', 'rules')).findLast(({ start }) => start <= offset);
}

/** The names of the entries of a rule's context. */
export function contextNames(
  { part }: ObjectView,
  rule: OutlineNode | undefined,
): readonly string[] {
  return itemsOf(nodeAt(rule, 'context')).flatMap(
    (entry) => part.textOf(nodeAt(entry, 'name')) ?? [],
  );
}

function roots(object: ObjectView, rule: OutlineNode | undefined): readonly Proposal[] {
  const variables = Object.entries(templateVariables).map(([label, words]) => ({
    label,
    detail: 'variable',
    words,
    kind: completionKinds.variable,
    rank: 1,
  }));
  const own = contextNames(object, rule).map((label) => ({
    label,
    detail: "entry of the rule's context",
    kind: completionKinds.variable,
    rank: 0,
  }));
  const functions = Object.entries(jmespathFunctions).map(([label, [detail, words]]) => ({
    label,
    detail,
    words,
    kind: completionKinds.function,
    insert: `${label}($1)`,
    rank: 2,
  }));
  return [...own, ...variables, ...functions];
}

function membersOf(
  context: ServiceContext,
  object: ObjectView,
  rule: OutlineNode | undefined,
  steps: readonly string[],
): readonly Proposal[] {
  if (steps.length === 1 && steps[0] === 'request') {
    return Object.entries(templateRequest).map(([label, words]) => ({
      label,
      detail: 'field',
      words,
      kind: completionKinds.field,
      rank: 0,
    }));
  }
  const found = templateTypes(context, object, rule, steps).flatMap((type) =>
    fieldsOfType(type.kind === 'list' ? (type.parameters[0] ?? dynType) : type, context.types),
  );
  const byName = new Map(found.map((info) => [info.name, info]));
  return [...byName.values()].map((info) => ({
    label: info.name,
    detail: info.about,
    words: wordsOf(context, info),
    kind: completionKinds.field,
    insert: /^\w+$/.test(info.name) ? info.name : `"${info.name}"`,
    rank: 0,
  }));
}

const requestTypes: Readonly<Record<string, string>> = {
  userInfo: 'kubernetes.UserInfo',
  kind: 'kubernetes.GroupVersionKind',
  resource: 'kubernetes.GroupVersionResource',
};

/** The types that a way such as `request.object.spec` has, for the kinds that the rule matches. */
export function templateTypes(
  context: ServiceContext,
  object: ObjectView,
  rule: OutlineNode | undefined,
  steps: readonly string[],
): readonly Type[] {
  const [first = '', second = '', ...rest] = steps;
  const { types, schemas } = context;
  const roots = (): readonly Type[] =>
    kindsOfRule(object, rule)
      .flatMap((name) => kindsNamed(name, schemas))
      .flatMap((kind) => types.rootOf(kind) ?? []);
  if (first === 'request' && (second === 'object' || second === 'oldObject'))
    return walk(context, roots(), rest);
  if (first === 'request' && Object.hasOwn(requestTypes, second)) {
    const [info] = fieldsOfType(requestType, types).filter(({ name }) => name === second);
    return info === undefined ? [] : walk(context, [info.type], rest);
  }
  if (first === 'element') {
    const list = listsOf(object, rule).at(-1) ?? '';
    const way = list
      .replace(/\[[^\]]*\]/g, '')
      .split('.')
      .map((step) => step.trim());
    const elements = templateTypes(context, object, rule, way).flatMap((type) =>
      type.kind === 'list' ? (type.parameters[0] ?? []) : type,
    );
    return walk(context, elements, steps.slice(1));
  }
  return [];
}

/** The lists that the `foreach` of a rule goes over. */
function listsOf({ part }: ObjectView, rule: OutlineNode | undefined): readonly string[] {
  return ['validate', 'mutate'].flatMap((action) =>
    itemsOf(nodeAt(rule, action, 'foreach')).flatMap(
      (entry) => part.textOf(nodeAt(entry, 'list')) ?? [],
    ),
  );
}

function walk(
  { types }: ServiceContext,
  from: readonly Type[],
  steps: readonly string[],
): readonly Type[] {
  return steps.reduce<readonly Type[]>(
    (found, step) =>
      found.flatMap((type) => {
        const inner = type.kind === 'list' ? (type.parameters[0] ?? dynType) : type;
        if (inner.kind === 'map') return inner.parameters[1] ?? [];
        return fieldsOfType(inner, types)
          .filter(({ name }) => name === step)
          .map((info) => info.type);
      }),
    from,
  );
}
