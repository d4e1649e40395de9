import { isSuiteName } from '../lookup/field-at.ts';
import { objectsOf } from '../policy/object-view.ts';
import type { ServiceContext } from '../service/service-context.ts';
import type { Position } from '../text/text-lines.ts';
import { besides, exampleComment } from '../values/examples-of.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { yamlPositionAt } from '../yaml/position.ts';
import type { NamedThing, Occurrence } from './named-thing.ts';

/** The file that a test, or a comment that names an example, means at a position: `pod.yaml#Pod/default/web`. */
export function fileNamedAt(
  { workspace }: ServiceContext,
  document: TextDocument,
  position: Position,
): NamedThing | undefined {
  const { part, offset } = document.at(position);
  const isTest =
    isSuiteName(document.name) || objectsOf(part).some(({ group }) => group === 'cli.kyverno.io');
  const place = isTest ? yamlPositionAt(part.text, part.outline, offset) : undefined;
  const scalar = place?.kind === 'value' ? place.scalar : undefined;
  const named =
    scalar === undefined
      ? commentAt(part.text, offset)
      : { ...scalar, path: part.textOf(scalar) ?? '' };
  if (named === undefined) return undefined;
  const [path = '', fragment] = named.path.split('#');
  const file = path === '' ? undefined : workspace.document(besides(document.uri, path));
  if (file === undefined) return undefined;
  const range = document.range(part, named.start, named.end);
  return {
    kind: 'definition',
    name: path,
    range,
    occurrences: [occurrenceIn(file, fragment)],
  };
}

function commentAt(text: string, offset: number) {
  for (const match of text.matchAll(exampleComment)) {
    const [whole, path = ''] = match;
    const start = match.index + whole.lastIndexOf(path);
    if (start <= offset && offset <= start + path.length)
      return { path, start, end: start + path.length };
  }
  return undefined;
}

/** The object that is meant, or the begin of the file. */
function occurrenceIn(file: TextDocument, fragment: string | undefined): Occurrence {
  for (const part of file.parts) {
    for (const { kind, namespace, name, nameNode } of objectsOf(part)) {
      const isMeant = [`${kind}/${name}`, `${kind}/${namespace}/${name}`].includes(fragment ?? '');
      if (!isMeant || nameNode === undefined) continue;
      const range = file.range(part, nameNode.start, nameNode.end);
      return { uri: file.uri, range, isDefinition: true };
    }
  }
  const start = { line: 0, character: 0 };
  return { uri: file.uri, range: { start, end: start }, isDefinition: true };
}
