import { Double, parseJson as parseValue } from '@kubeadmit/cel';
import {
  type Command,
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
import type { Answer } from './areas.ts';

/** A recorded line under its name in the list of known gaps. */
export interface RecordedCase {
  /** `area/id`. */
  readonly name: string;
  /** The command of the machine interface that the case belongs to. */
  readonly command: Command;
  /** The case and its answer, as they stand in the file. */
  readonly text: string;
}

/** Gives a recorded line its name; throws when it is no object with an identifier. */
export function nameCase(area: string, command: Command, text: string): RecordedCase {
  const id = field(objectOf(parseJson(text)), 'id');
  if (typeof id !== 'string' || id === '') throw new Error(`${area}: a line has no id`);
  return { name: `${area}/${id}`, command, text };
}

/**
 * What is wrong with a case, or undefined: an answer that differs from the recorded one, or a known gap
 * that is none any more.
 */
export async function judge(
  recorded: RecordedCase,
  answer: Answer,
  gap: string | undefined,
): Promise<string | undefined> {
  const complaint = await differenceOf(recorded, answer);
  if (gap === undefined) return complaint;
  if (complaint !== undefined) return undefined;
  return `holds, but known-gaps.json lists it (${gap}): take it off the list`;
}

async function differenceOf(
  { command, text }: RecordedCase,
  answer: Answer,
): Promise<string | undefined> {
  const { answer: expected } = splitLine(command, objectOf(parseJson(text)));
  const { input } = splitLine(command, objectOf(parseValue(text, { wholeDoubles: true }) as Json));
  let actual: JsonObject;
  try {
    actual = objectOf(plain(await answer(input)));
  } catch (problem) {
    return `threw ${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}`;
  }
  const found = differences(comparable(command, expected), comparable(command, actual));
  return found.length === 0 ? undefined : describeDifferences(found);
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
