import { typeLabel } from '../cel/type-label.ts';
import { typeAt } from '../fields/field-at.ts';
import { wordsOf } from '../fields/fields-of-type.ts';
import { objectAt } from '../policy/object-view.ts';
import type { Hover } from '../protocol.ts';
import type { ServiceContext } from '../service-context.ts';
import type { Position } from '../text/text-lines.ts';
import { fieldValueWords } from '../words/field-values.ts';
import { jmespathFunctions, templateRequest, templateVariables } from '../words/jmespath.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { itemsOf, nodeAt } from '../yaml/nodes.ts';
import { yamlPositionAt } from '../yaml/position.ts';
import { contextNames, templateAt, templateTypes } from './complete-template.ts';

/** What is known of a key or a value of YAML. */
export function hoverYaml(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): Hover | undefined {
  const { part, offset } = document.at(position);
  const template = hoverTemplate(context, document, position);
  if (template !== undefined) return template;
  const place = yamlPositionAt(part.text, part.outline, offset);
  const object = objectAt(part, offset);
  if (place === undefined || object === undefined) return undefined;
  const isItem = part.outline !== object.root && place.path[0] === 'items';
  const way = isItem ? place.path.slice(2) : place.path;
  const hover = (value: string, start: number, end: number): Hover => ({
    contents: { kind: 'markdown', value },
    range: document.range(part, start, end),
  });
  if (place.kind === 'key') {
    const { entry } = place;
    if (entry === undefined) return undefined;
    const found = typeAt(context, object, [...way, entry.key]);
    if (found === undefined) return undefined;
    const { field, type } = found;
    const about = field?.about ?? typeLabel(type);
    const words = field && wordsOf(field);
    const values = fieldValueWords(field);
    const list =
      values === undefined
        ? ''
        : `\n\nValues: ${Object.keys(values)
            .map((each) => `\`${each}\``)
            .join(', ')}.`;
    const head = `**${entry.key}**: ${about}`;
    return hover(
      `${head}${words === undefined ? '' : `\n\n${words}`}${list}`,
      entry.start,
      entry.keyEnd,
    );
  }
  const found = typeAt(context, object, way);
  const value = part.textOf(place.scalar);
  if (place.scalar === undefined || value === undefined) return undefined;
  const values = fieldValueWords(found?.field);
  const words = values !== undefined && Object.hasOwn(values, value) ? values[value] : undefined;
  if (words === undefined || words === '') return undefined;
  return hover(`**${value}**: ${words}`, place.scalar.start, place.scalar.end);
}

/** A name in JMESPath of a Kyverno rule. */
function hoverTemplate(
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
    context,
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
  _context: ServiceContext,
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
