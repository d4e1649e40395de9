import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isObject, type JsonObject, parseJson } from './json.ts';

/** The objects of an NDJSON file, or of standard input for `-`; throws with file and line on anything else. */
export async function* readObjects(path: string): AsyncGenerator<JsonObject> {
  const input = path === '-' ? process.stdin : createReadStream(path);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    yield objectOf(line, `${path}:${number}`);
  }
}

function objectOf(line: string, place: string): JsonObject {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (problem) {
    throw new Error(`${place}: ${(problem as Error).message}`);
  }
  if (!isObject(value as JsonObject)) throw new Error(`${place}: not a JSON object`);
  return value as JsonObject;
}
