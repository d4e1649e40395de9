import { typeLabel } from '../fields/type-label.ts';
import type { ServiceContext } from '../service/service-context.ts';
import { escapeMarkdown } from '../text/markdown.ts';
import type { Position } from '../text/text-lines.ts';
import type { Hover } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import {
  contextNames,
  type TemplateName,
  templateNameAt,
  templateTypes,
} from './complete-template.ts';

/** A name in JMESPath of a Kyverno rule. */
export function hoverTemplate(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): Hover | undefined {
  const { part, offset } = document.at(position);
  let end = offset;
  while (/\w/.test(part.text[end] ?? '')) end++;
  const found = templateNameAt(part, end);
  if (found === undefined || !/^\w/.test(found.word)) return undefined;
  const value = meaningOf(context, found);
  if (value === undefined) return undefined;
  const range = document.range(part, end - found.word.length, end);
  return { contents: { kind: 'markdown', value }, range };
}

function meaningOf(context: ServiceContext, found: TemplateName): string | undefined {
  const { object, rule, steps, word } = found;
  const { templateVariables = {}, jmespathFunctions = {}, templateRequest = {} } = context.words;
  if (steps.length === 0) {
    if (contextNames(found).includes(word))
      return `**${escapeMarkdown(word)}**: an entry of the rule's context.`;
    if (Object.hasOwn(templateVariables, word)) return `**${word}**: ${templateVariables[word]}`;
    if (Object.hasOwn(jmespathFunctions, word)) {
      const [signature, words] = jmespathFunctions[word] ?? ['', ''];
      return `\`${signature}\`\n\n${words}`;
    }
  }
  if (steps.join('.') === 'request' && Object.hasOwn(templateRequest, word)) {
    return `**request.${word}**: ${templateRequest[word]}`;
  }
  const types = templateTypes(context, object, rule, [...steps, word]);
  const labels = [...new Set(types.map(typeLabel))];
  if (labels.length === 0) return undefined;
  return `**${escapeMarkdown([...steps, word].join('.'))}**: ${escapeMarkdown(labels.join(' or '))}`;
}
