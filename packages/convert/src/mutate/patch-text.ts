import { isObject } from '@kubeadmit/apimachinery';
import { readJson, readYaml } from '@kubeadmit/go';
import { decodePatch } from '@kubeadmit/kyverno/unstable-internal';
import { isScalar, mayHoldSyntax } from '../jmespath/possible-strings.ts';
import { textValue } from '../jmespath/text-value.ts';
import { shapeOf } from '../jmespath/value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { differenceNotes } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';

/**
 * Reads the operations of `patchesJson6902`, which is JSON if it begins with `[`, otherwise YAML. Kyverno replaces the
 * variables before it reads the text; here a number stands for each of them while it is read.
 *
 * @throws Unsupported for a text that Kyverno cannot read, and for a variable whose type depends on its value.
 */
export function readPatchText(text: string, variables: Variables): readonly unknown[] {
  const marker = numberNotIn(text);
  const names: string[] = [];
  let rest = text;
  for (let name = outermost(rest); name !== undefined; name = outermost(rest)) {
    rest = rest.replace(name, () => markerOf(marker, names.length));
    names.push(name);
  }
  const isJson = rest.startsWith('[');
  const reading = isJson ? readJson(rest) : readYaml(rest);
  if ('error' in reading) {
    throw new Unsupported(
      `patchesJson6902 is invalid ${isJson ? 'JSON' : 'YAML'}, so Kyverno denies every request that the rule matches`,
      isJson ? 'correct the JSON, or write the operations as a YAML list with `-`' : 'correct it',
    );
  }
  const list = restored(reading.value, { isJson, marker, names, variables });
  const operations = decodePatch(list);
  if (Array.isArray(operations)) return list as readonly unknown[];
  throw new Unsupported(
    `Kyverno cannot read patchesJson6902, so it denies every request that the rule matches: ${(operations as { message: string }).message}`,
  );
}

interface Markers {
  readonly isJson: boolean;
  readonly marker: number;
  readonly names: readonly string[];
  readonly variables: Variables;
}

function restored(value: unknown, markers: Markers): unknown {
  if (typeof value === 'string') return writtenString(value, markers);
  if (typeof value === 'number' || typeof value === 'bigint') {
    const text = String(value);
    const written = withVariables(text, markers, (name) => name);
    if (written === text) return value;
    noteUnquoted(written, markers);
    return written;
  }
  if (Array.isArray(value)) return value.map((item) => restored(item, markers));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      writtenString(key, markers),
      restored(item, markers),
    ]),
  );
}

/** Returns a string with its variables, and notes those whose values may be read as a part of the YAML or JSON. */
function writtenString(text: string, markers: Markers): string {
  const { variables } = markers;
  return withVariables(text, markers, (name) => {
    if (mayHoldSyntax(textValue(name, variables))) variables.notes.add(differenceNotes.spliced);
    return name;
  });
}

function withVariables(
  text: string,
  { marker, names }: Markers,
  written: (name: string) => string,
): string {
  const wanted = new RegExp(`${marker}(\\d{3})`, 'g');
  return text.replace(wanted, (_, at: string) => written(names[Number(at)] ?? ''));
}

// Of a variable without quotes, Kyverno reads the value as YAML or JSON.
function noteUnquoted(text: string, { isJson, variables }: Markers): void {
  if (isScalar(shapeOf(textValue(text, variables)))) return;
  if (!isJson) {
    variables.notes.add(differenceNotes.unquoted);
    return;
  }
  throw new Unsupported(
    `the variable \`${text}\` without quotes in patchesJson6902, which Kyverno reads as JSON`,
    'put it in quotes',
  );
}

function numberNotIn(text: string): number {
  let marker = 1_000_003;
  while (text.includes(String(marker))) marker++;
  return marker;
}

function markerOf(marker: number, at: number): string {
  return `${marker}${String(at).padStart(3, '0')}`;
}

// A variable with those that stand within it.
function outermost(text: string): string | undefined {
  const start = text.indexOf('{{');
  if (start < 0) return undefined;
  let depth = 0;
  for (let at = start; at < text.length - 1; at++) {
    const pair = text.slice(at, at + 2);
    if (pair === '{{') {
      depth++;
      at++;
    } else if (pair === '}}') {
      depth--;
      at++;
      if (depth === 0) return text.slice(start, at + 1);
    }
  }
  return undefined;
}
