import {
  field,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  printJson,
  setField,
} from './json.ts';
import { withoutMapOrder } from './map-order.ts';
import { comparableWrite } from './write-answer.ts';

/** A command of the machine interface: how both sides are called, and the fields of a case. */
export interface Command {
  /** The words after the program's name, also the name of the command here. */
  readonly name: string;
  /** Arguments of the oracle program. */
  readonly oracle: readonly string[];
  /** Arguments of kubeadmit. */
  readonly kubeadmit: readonly string[];
  /** Fields that make up a case; all others of a recorded line are its answer. */
  readonly caseFields: readonly string[];
  /** Fields without which a case asks nothing. */
  readonly requiredFields: readonly string[];
  /** Fields of an answer that make it unsuitable for comparison. */
  readonly refusals: readonly string[];
  /** Paths in an answer that only one side gives. */
  readonly oneSided: readonly (readonly string[])[];
}

/** Names under which the oracle registers types at random, as they appear in texts. */
const RANDOM_NAME = /\bselfType\d+/g;

/** The oracle returns the object before admission, kubeadmit the patch from that object to the final one. */
const ADMIT_ONE_SIDED = [['requested'], ['response', 'patch'], ['response', 'patchType']] as const;

type Fields = readonly string[];

/** A question to the libraries of kube-apiserver. */
function kubernetes(name: string, requiredFields: Fields, optionalFields: Fields = []): Command {
  const isBatch = name === 'lint' || name === 'eval';
  return {
    name,
    oracle: [name],
    kubeadmit: isBatch ? [name, '--batch', '-'] : [name, '-'],
    caseFields: ['id', 'kubernetesVersion', ...requiredFields, ...optionalFields],
    requiredFields,
    refusals: ['failure'],
    oneSided: name === 'admit' ? ADMIT_ONE_SIDED : [],
  };
}

/** A question to the libraries of Kyverno. */
function kyverno(name: string, requiredFields: Fields, optionalFields: Fields = []): Command {
  return {
    name: `kyverno ${name}`,
    oracle: ['-repeat', '8', name],
    kubeadmit: ['kyverno', name, '-'],
    caseFields: ['id', ...requiredFields, ...optionalFields],
    requiredFields,
    refusals: ['panic', 'unencodable', 'unstable'],
    oneSided: [],
  };
}

/** Every command of the machine interface that answers a stream of cases. */
export const COMMANDS: readonly Command[] = [
  kubernetes('admit', ['resources', 'request'], ['plugins']),
  kubernetes('write', ['resources', 'request'], ['plugins']),
  kubernetes('lint', ['resources']),
  kubernetes('decode', ['resources']),
  kubernetes('validate', ['definition'], ['object', 'oldObject']),
  kubernetes('eval', ['expression'], ['variables', 'declarations', 'budget']),
  kyverno('conditions', ['conditions'], ['context']),
  kyverno('jmespath', ['expression'], ['input']),
  kyverno('substitute', ['document'], ['context']),
  kyverno(
    'rules',
    ['policies', 'resource'],
    [
      'oldResource',
      'operation',
      'subresource',
      'namespaceLabels',
      'userInfo',
      'roles',
      'clusterRoles',
      'context',
      'exceptions',
      'cluster',
    ],
  ),
  kyverno('autogen', ['policy'], ['kind']),
];

/** The command of a name, or undefined. */
export function findCommand(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}

/** The command of a name. @throws Error where there is none */
export function commandOf(name: string): Command {
  const command = findCommand(name);
  if (command === undefined) throw new Error(`${name}: no such command`);
  return command;
}

/**
 * Splits a recorded line into the case and its answer: side by side, or the whole answer in a field
 * `answer`, and then perhaps the whole case in a field `case`.
 */
export function splitLine(
  command: Command,
  line: JsonObject,
): { readonly input: JsonObject; readonly answer: JsonObject } {
  const nested = field(line, 'answer');
  const whole = field(line, 'case');
  if (isObject(whole) && isObject(nested)) return { input: whole, answer: nested };
  const input: JsonObject = {};
  const answer: JsonObject = {};
  for (const key of Object.keys(line)) {
    if (key === 'answer' && isObject(nested)) continue;
    const isInput = isObject(nested) || command.caseFields.includes(key);
    setField(isInput ? input : answer, key, field(line, key) as Json);
  }
  return { input, answer: isObject(nested) ? nested : answer };
}

/** Joins a case and its answer into one line, side by side where no name is used twice. */
export function joinLine(input: JsonObject, answer: JsonObject): JsonObject {
  const line: JsonObject = { ...input };
  const keys = Object.keys(answer).filter((key) => key !== 'id');
  const collides = keys.some((key) => Object.hasOwn(input, key) || key === 'answer');
  if (!collides) {
    for (const key of keys) setField(line, key, field(answer, key) as Json);
    return line;
  }
  const nested: JsonObject = {};
  for (const key of keys) setField(nested, key, field(answer, key) as Json);
  setField(line, 'answer', nested);
  return line;
}

/** An answer without its identifier and with random names made equal, ready to be recorded. */
export function steady(answer: JsonObject): JsonObject {
  const { id: _, ...rest } = answer;
  const text = printJson(rest);
  return RANDOM_NAME.test(text)
    ? (parseJson(text.replace(RANDOM_NAME, 'selfType')) as JsonObject)
    : rest;
}

/** An answer with only the fields that both sides have, and without the order of Go's maps, for comparison. */
export function comparable(command: Command, answer: JsonObject): JsonObject {
  if (command.name === 'write') return comparableWrite(answer);
  const both = command.oneSided.reduce((rest, path) => without(rest, path), steady(answer));
  return withoutMapOrder(both) as JsonObject;
}

function without(object: JsonObject, [key, ...rest]: readonly string[]): JsonObject {
  if (key === undefined || !Object.hasOwn(object, key)) return object;
  const { [key]: found, ...others } = object;
  if (rest.length === 0 || !isObject(found)) return others;
  return { ...others, [key]: without(found, rest) };
}
