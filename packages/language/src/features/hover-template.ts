import { typeLabel } from '../cel/type-label.ts';
import type { Hover } from '../protocol.ts';
import type { ServiceContext } from '../service-context.ts';
import type { Position } from '../text/text-lines.ts';
import { jmespathFunctions, templateRequest, templateVariables } from '../words/jmespath.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { itemsOf, nodeAt } from '../yaml/nodes.ts';
import { contextNames, templateAt, templateTypes } from './complete-template.ts';

/** A name in JMESPath of a Kyverno rule. */
export function hoverTemplate(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): Hover | undefined {
  const { part, offset } = document.at(position);
  let end = offset;
  while (/\w/.test(part.text[end] ?? '')) end++;
  const found = templateAt(part, end);
  if (found === undefined) return undefined;
  const [, chain = '', word = ''] = /((?:[\w@]+(?:\[[^\]]*\])?\.)*)(\w+)$/.exec(found.before) ?? [];
  if (word === '') return undefined;
  const steps = chain
    .replace(/\[[^\]]*\]/g, '')
    .split('.')
    .filter((step) => step !== '');
  const rule = itemsOf(nodeAt(found.object.root, 'spec', 'rules')).findLast(
    ({ start }) => start <= offset,
  );
  const value = templateMeaning(
    steps,
    word,
    () => templateTypes(context, found.object, rule, [...steps, word]),
    contextNames(found.object, rule),
  );
  if (value === undefined) return undefined;
  return {
    contents: { kind: 'markdown', value },
    range: document.range(part, end - word.length, end),
  };
}

function templateMeaning(
  steps: readonly string[],
  word: string,
  types: () => ReturnType<typeof templateTypes>,
  own: readonly string[],
): string | undefined {
  if (steps.length === 0 && own.includes(word))
    return `**${word}**: an entry of the rule's context.`;
  if (steps.length === 0 && Object.hasOwn(templateVariables, word))
    return `**${word}**: ${templateVariables[word]}`;
  if (steps.length === 0 && Object.hasOwn(jmespathFunctions, word)) {
    const [signature, words] = jmespathFunctions[word] ?? ['', ''];
    return `\`${signature}\`\n\n${words}`;
  }
  if (steps.length === 1 && steps[0] === 'request' && Object.hasOwn(templateRequest, word)) {
    return `**request.${word}**: ${templateRequest[word]}`;
  }
  const labels = [...new Set(types().map(typeLabel))];
  return labels.length === 0
    ? undefined
    : `**${[...steps, word].join('.')}**: ${labels.join(' or ')}`;
}
