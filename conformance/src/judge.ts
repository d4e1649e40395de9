import {
  type Command,
  comparable,
  describeDifferences,
  differences,
  field,
  isObject,
  type JsonObject,
  parseJson,
  splitLine,
} from '@kubeadmit/conformance-tools';
import type { Answer } from './areas.ts';

/** A recorded line under its name in the list of known gaps. */
export interface RecordedCase {
  /** `area/id`. */
  readonly name: string;
  /** The command of the machine interface that the case belongs to. */
  readonly command: Command;
  /** The case and its answer. */
  readonly line: JsonObject;
}

/** Gives a recorded line its name; throws when it has no identifier. */
export function nameCase(area: string, command: Command, line: JsonObject): RecordedCase {
  const id = field(line, 'id');
  if (typeof id !== 'string' || id === '') throw new Error(`${area}: a line has no id`);
  return { name: `${area}/${id}`, command, line };
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
  { command, line }: RecordedCase,
  answer: Answer,
): Promise<string | undefined> {
  const { input, answer: expected } = splitLine(command, line);
  let actual: JsonObject;
  try {
    actual = plain(await answer(input));
  } catch (problem) {
    return `threw ${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}`;
  }
  const found = differences(comparable(expected), comparable(actual));
  return found.length === 0 ? undefined : describeDifferences(found);
}

/** An answer as it would be read back from its line of JSON. */
function plain(answer: object): JsonObject {
  const value = parseJson(JSON.stringify(answer));
  if (!isObject(value)) throw new Error('the answer is no JSON object');
  return value;
}
