import { Double, parseJson as parseValue } from '@kubeadmit/cel';
import {
  type Command,
  commandOf,
  comparable,
  describeDifferences,
  differences,
  field,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  setField,
  splitLine,
} from '@kubeadmit/conformance-tools';
import type { Area } from './areas.ts';

/** A recorded line under its name in the list of known gaps. */
export interface RecordedCase {
  /** `area/id`. */
  readonly name: string;
  /** The area that answers the case. */
  readonly area: Area;
  /** The command of the machine interface that the case belongs to. */
  readonly command: Command;
  /** The case and its answer, as they stand in the file. */
  readonly text: string;
}

/** Gives a recorded line its name; one without an identifier is called by its place in the file. */
export function nameCase(area: Area, file: string, text: string, line: number): RecordedCase {
  const command = commandOf(area.command);
  const own = field(objectOf(JSON.parse(text) as Json), 'id');
  const id = typeof own === 'string' && own !== '' ? own : `${file.split('.')[0]}-${line}`;
  return { name: `${area.folder}/${id}`, area, command, text };
}

/**
 * Returns the problem of a case, if any.
 *
 * A problem is an answer that differs from the recorded one, or a known gap that no longer exists.
 */
export async function judge(
  recorded: RecordedCase,
  gap: string | undefined,
): Promise<string | undefined> {
  const complaint = await differenceOf(recorded);
  if (gap === undefined) return complaint;
  if (complaint !== undefined) return undefined;
  return `holds, but known-gaps.json lists it (${gap}): take it off the list`;
}

async function differenceOf({ area, command, text }: RecordedCase): Promise<string | undefined> {
  const { answer: expected } = splitLine(command, objectOf(parseJson(text)));
  let actual: JsonObject;
  try {
    actual = objectOf(plain(await area.answer(splitLine(command, read(area, text)).input)));
  } catch (problem) {
    return `threw ${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}`;
  }
  const found = differences(comparable(command, expected), comparable(command, actual));
  return found.length === 0 ? undefined : describeDifferences(found);
}

/** A line as the engine of an area reads it. */
function read(area: Area, text: string): JsonObject {
  const value = area.isPlainJson ? JSON.parse(text) : parseValue(text, { wholeDoubles: true });
  return objectOf(value as Json);
}

/** An answer as it would be read back from its line of JSON: no double objects, nothing undefined. */
function plain(value: unknown): Json {
  if (value instanceof Double) return value.value;
  if (typeof value !== 'object' || value === null) return value as Json;
  if (Array.isArray(value)) return value.map(plain);
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) setField(copy, key, plain(item));
  }
  return copy;
}

function objectOf(value: Json): JsonObject {
  if (!isObject(value)) throw new Error('not a JSON object');
  return value;
}
