import type { Type } from '@kubeadmit/cel';
import { dynType } from '@kubeadmit/cel/types';
import { requestType } from '@kubeadmit/engine/environment';
import { completionItems, fieldProposal } from '../lookup/completion-items.ts';
import { fieldNamed, fieldsOfType } from '../lookup/fields-of-type.ts';
import { kindsNamed } from '../policy/matched-kinds.ts';
import { type ObjectView, objectAt } from '../policy/object-view.ts';
import { kindsOfRule } from '../policy/policy-view.ts';
import type { Proposal } from '../service/proposal.ts';
import type { ServiceContext } from '../service/service-context.ts';
import type { Part } from '../workspace/part.ts';
import { type CompletionItem, completionKinds } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { itemsOf, nodeAt, type OutlineNode } from '../yaml/nodes.ts';

/** A name in the JMESPath of a Kyverno rule, as typed so far. */
export interface TemplateName {
  readonly object: ObjectView;
  readonly rule: OutlineNode | undefined;
  /** The names before it: `request`, `object` of `request.object.spec`. */
  readonly steps: readonly string[];
  readonly word: string;
  /** Whether it is inside a string or literal of JMESPath. */
  readonly isQuoted: boolean;
}

/** The name in JMESPath that ends at an index of a document, if there is JMESPath. */
export function templateNameAt(part: Part, offset: number): TemplateName | undefined {
  const object = objectAt(part, offset);
  if (object?.group !== 'kyverno.io') return undefined;
  const before = expressionBefore(part.text.slice(0, offset));
  if (before === undefined) return undefined;
  const [, chain = '', word = ''] = /((?:[\w@]+(?:\[[^\]]*\])?\.)*)(@|\w*)$/.exec(before) ?? [];
  return {
    object,
    rule: itemsOf(nodeAt(object.root, 'spec', 'rules')).findLast(({ start }) => start <= offset),
    steps: stepsOf(chain),
    word,
    isQuoted: /['`][^'`]*$/.test(before.replace(/'[^']*'|`[^`]*`/g, '')),
  };
}

/** Returns the typed part of the expression at the end of a text. */
function expressionBefore(text: string): string | undefined {
  const open = text.lastIndexOf('{{');
  const inside = text.slice(open + 2);
  if (open !== -1 && !/\}\}|\n/.test(inside)) return inside;
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return /^\s*(?:- )?(?:list|jmesPath):\s*["']?([^"']*)$/.exec(line)?.[1];
}

function stepsOf(way: string): readonly string[] {
  return way
    .replace(/\[[^\]]*\]/g, '')
    .split('.')
    .map((step) => step.trim())
    .filter((step) => step !== '');
}

/** Returns completions in `{{ … }}` of Kyverno's rules; `undefined` elsewhere. */
export function completeTemplate(
  context: ServiceContext,
  document: TextDocument,
  part: Part,
  offset: number,
): readonly CompletionItem[] | undefined {
  const found = templateNameAt(part, offset);
  if (found === undefined) return undefined;
  const { word, steps, isQuoted } = found;
  if (isQuoted) return [];
  const proposals = steps.length === 0 ? roots(context, found) : membersOf(context, found);
  return completionItems(proposals, word, document.range(part, offset - word.length, offset));
}

/** The names of the entries of a rule's context. */
export function contextNames({ object: { part }, rule }: TemplateName): readonly string[] {
  return itemsOf(nodeAt(rule, 'context')).flatMap(
    (entry) => part.textOf(nodeAt(entry, 'name')) ?? [],
  );
}

function roots(
  { words: { jmespathFunctions = {}, templateVariables = {} } }: ServiceContext,
  found: TemplateName,
): readonly Proposal[] {
  const variables = Object.entries(templateVariables).map(([label, words]) => ({
    label,
    detail: 'variable',
    words,
    kind: completionKinds.variable,
    rank: 1,
  }));
  const own = contextNames(found).map((label) => ({
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
    isSnippet: true,
    rank: 2,
  }));
  return [...own, ...variables, ...functions];
}

function membersOf(
  context: ServiceContext,
  { object, rule, steps }: TemplateName,
): readonly Proposal[] {
  if (steps.length === 1 && steps[0] === 'request') {
    return Object.entries(context.words.templateRequest ?? {}).map(([label, words]) => ({
      label,
      detail: 'field',
      words,
      kind: completionKinds.field,
      rank: 0,
    }));
  }
  const found = templateTypes(context, object, rule, steps).flatMap((type) =>
    fieldsOfType(type.kind === 'list' ? (type.parameters[0] ?? dynType) : type, context),
  );
  const byName = new Map(found.map((info) => [info.name, info]));
  return [...byName.values()].map((info) => ({
    ...fieldProposal(context, info),
    insert: /^\w+$/.test(info.name) ? info.name : `"${info.name}"`,
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
    const info = fieldNamed(requestType, second, context);
    return info === undefined ? [] : walk(context, [info.type], rest);
  }
  if (first === 'element') {
    const list = listsOf(object, rule).at(-1) ?? '';
    const elements = templateTypes(context, object, rule, stepsOf(list)).flatMap((type) =>
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
  context: ServiceContext,
  from: readonly Type[],
  steps: readonly string[],
): readonly Type[] {
  return steps.reduce<readonly Type[]>(
    (found, step) =>
      found.flatMap((type) => {
        const inner = type.kind === 'list' ? (type.parameters[0] ?? dynType) : type;
        if (inner.kind === 'map') return inner.parameters[1] ?? [];
        return fieldNamed(inner, step, context)?.type ?? [];
      }),
    from,
  );
}
