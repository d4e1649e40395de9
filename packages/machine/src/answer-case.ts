import { describeValue } from '@kubeadmit/base';
import { parseJson } from '@kubeadmit/cel';
import { JsonError, stringifyJson } from '@kubeadmit/go';
import { isRecord } from '@kubeadmit/manifest';
import { type Answer, type Answerer, type Case, CaseFailure } from './case.ts';
import { ownField } from './fields.ts';

/**
 * Answers one case with its `id` and the result or a failure. Never rejects because of the content of a case.
 */
export async function answerCase(input: Case, answer: Answerer): Promise<Answer> {
  if (!isRecord(input)) {
    throw new TypeError(`answerCase: expected a case as an object, got ${describeValue(input)}`);
  }
  const id = ownField(input, 'id') ?? null;
  try {
    return { id, ...(await answer(input)) };
  } catch (error) {
    return { id, failure: failureText(error) };
  }
}

/**
 * Answers one line of JSON with another. Numbers keep all their digits, and stay integral or not as written. A line
 * that is not a case gets a `failure`; never rejects for the content of a line.
 */
export async function answerLine(line: string, answer: Answerer): Promise<string> {
  if (typeof line !== 'string') {
    throw new TypeError(`answerLine: expected a line of JSON, got ${describeValue(line)}`);
  }
  try {
    return stringifyJson(await answerCase(parseCase(line), answer));
  } catch (error) {
    const id = error instanceof JsonError ? idOfBrokenLine(line) : null;
    return stringifyJson({ id, failure: failureText(error) });
  }
}

function failureText(error: unknown): string {
  if (error instanceof JsonError) return `not JSON: ${error.message}`;
  return error instanceof CaseFailure ? error.message : `internal error: ${String(error)}`;
}

function parseCase(line: string): Case {
  const input = parseJson(line, { wholeDoubles: true });
  if (!isRecord(input)) throw new CaseFailure('not a case: expected a JSON object');
  return input;
}

/** The id that a line begins with even though the rest of it is not JSON. */
function idOfBrokenLine(line: string): unknown {
  const quoted = /^\s*\{\s*"id"\s*:\s*("(?:[^"\\\n]|\\["\\/bfnrtu])*")/.exec(line)?.[1];
  try {
    return quoted === undefined ? null : JSON.parse(quoted);
  } catch {
    return null;
  }
}
