import {
  type Command,
  commandOf,
  comparable,
  type JsonObject,
  LineProgram,
  parseJson,
  printJson,
  programOf,
} from '@kubeadmit/conformance-tools';

/** A case of `decode`. */
export interface DecodeCase {
  readonly id: string;
  readonly kubernetesVersion?: string;
  readonly resources: readonly unknown[];
}

/** The command whose cases these are. */
export const decodeCommand: Command = commandOf('decode');

/** The oracle's answers to cases, in their order. */
export async function askOracle(
  cases: readonly DecodeCase[],
  program = programOf('ORACLE'),
  args = decodeCommand.oracle,
): Promise<readonly JsonObject[]> {
  const oracle = new LineProgram(program, args);
  const answers = Promise.all(cases.map((each) => oracle.ask(each as unknown as JsonObject)));
  oracle.close();
  return answers;
}

/** The JSON of a value with sorted keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** A default that is the time of the request, which an answer of today holds. */
export function timeOfRequest(): RegExp {
  return new RegExp(`"timeAdded":"${new Date().toISOString().slice(0, 10)}T[^"]+"`, 'g');
}

/** How answers are compared: all that they say, refusals too, but for the time of the request. */
export const counting = {
  comparable(answer: JsonObject): JsonObject {
    const text = printJson(comparable(decodeCommand, answer));
    return parseJson(text.replaceAll(timeOfRequest(), '"timeAdded":"now"')) as JsonObject;
  },
  isRefused: (): boolean => false,
};
