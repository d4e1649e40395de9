import { setKey } from '@kubeadmit/base';
import { parseJson, type Value } from '@kubeadmit/cel';
import {
  type ExpressionAnswer,
  type ExpressionInput,
  evaluateExpression,
  UnknownVersionError,
} from '@kubeadmit/engine';
import { errorPlace } from '@kubeadmit/engine/environment';
import { stringifyJson } from '@kubeadmit/go';
import { readDocuments, Source } from '@kubeadmit/manifest';
import { readSources } from '../input/sources.ts';
import { answererOf } from '../machine/answerer.ts';
import { answerLines } from '../machine/lines.ts';
import { jsonWithoutCommands } from '../output/ci-commands.ts';
import { excerpt } from '../output/excerpt.ts';
import { problemText } from '../output/problems.ts';
import { indentLines, printable, type Style, styleFor } from '../output/style.ts';
import {
  CommandFailure,
  type ExitCode,
  exitCode,
  type Terminal,
  write,
} from '../process/terminal.ts';

/** The options of `kubeadmit eval`. */
export interface EvalOptions {
  readonly variable?: readonly string[];
  readonly file?: readonly string[];
  readonly type?: readonly string[];
  readonly kubernetesVersion?: string;
  readonly budget?: number;
  readonly batch?: string;
  readonly output: 'text' | 'json';
}

/** Evaluates one expression and prints the result, or answers a stream of cases. */
export async function evaluate(
  expression: string | undefined,
  options: EvalOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.batch !== undefined) {
    if (expression !== undefined) {
      throw new CommandFailure('an expression cannot be combined with --batch');
    }
    return answerLines(options.batch, { command: 'eval', load: answererOf('eval') }, terminal);
  }
  if (expression === undefined)
    throw new CommandFailure('no expression; pass one as an argument, or - for standard input');
  const style = styleFor(terminal.stderr, terminal.env);
  const text = expression === '-' ? await readText('-', terminal) : expression;
  const settings: Settings = {
    variables: await readVariables(options, terminal, style),
    declarations: recordOf('the type of', splitPairs(options.type, '--type', 'name=type')),
    kubernetesVersion: options.kubernetesVersion,
    budget: options.budget,
  };
  const answer = answerTo(text, settings);
  if (answer.failure !== undefined) throw new CommandFailure(answer.failure);
  if (options.output === 'json')
    await write(terminal.stdout, `${jsonWithoutCommands(stringifyJson(answer, { indent: 2 }))}\n`);
  else await printAnswer({ expression: text, ...settings }, answer, terminal, style);
  if (answer.issues !== undefined) return exitCode.usage;
  return answer.error === undefined ? exitCode.success : exitCode.refused;
}

type Settings = Omit<ExpressionInput, 'expression'>;

function answerTo(expression: string, settings: Settings): ExpressionAnswer {
  try {
    return evaluateExpression({ expression, ...settings });
  } catch (error) {
    if (error instanceof UnknownVersionError) throw new CommandFailure(error.message);
    throw error;
  }
}

async function printAnswer(
  input: ExpressionInput,
  answer: ExpressionAnswer,
  { stdout, stderr, env }: Terminal,
  style: Style,
): Promise<void> {
  const { result, type, valueType, error, cost, issues } = answer;
  const source = new Source('<expression>', input.expression);
  if (issues !== undefined) {
    for (const { line, column, message } of issues) {
      await write(stderr, mistake(source, { line, column }, message, style));
    }
    return;
  }
  if (error !== undefined) {
    await write(stderr, mistake(source, errorPlace(input), error, style));
    return;
  }
  const { dim, bold } = styleFor(stdout, env);
  const types = type === valueType ? type : `${type} (${valueType})`;
  await write(
    stdout,
    `${bold(printable(result ?? ''))}\n${dim(`type: ${types}\ncost: ${cost}`)}\n`,
  );
}

/** A message, and a caret below its place where it has one; columns are counted from 0. */
function mistake(
  source: Source,
  place: { readonly line: number; readonly column: number } | undefined,
  message: string,
  style: Style,
): string {
  const told = `${style.red('error')}: ${message}`;
  if (place === undefined || place.line < 1) return `${printable(told)}\n`;
  const { line, column } = { line: place.line, column: place.column + 1 };
  const lines = indentLines(excerpt(source, { line, column }, 1, style), '  ');
  return `${printable(`${style.bold(`${line}:${column}`)}: ${told}`)}\n${lines}\n`;
}

async function readVariables(
  options: EvalOptions,
  terminal: Terminal,
  style: Style,
): Promise<Readonly<Record<string, Value>>> {
  const given = splitPairs(options.variable, '--variable', 'name=value').map(
    ([name, text]) => [name, jsonOrText(text)] as const,
  );
  const read: (readonly [string, Value])[] = [];
  for (const [name, path] of splitPairs(options.file, '--file', 'name=path')) {
    read.push([name, await readValue(path, terminal, style)]);
  }
  return recordOf('the variable', [...given, ...read]);
}

/** Collects values by name, once each; `what` describes them in messages. */
function recordOf<Of>(
  what: string,
  pairs: readonly (readonly [string, Of])[],
): Readonly<Record<string, Of>> {
  const record: Record<string, Of> = {};
  for (const [name, value] of pairs) {
    if (Object.hasOwn(record, name)) {
      throw new CommandFailure(`${what} \`${name}\` is given more than once`);
    }
    setKey(record, name, value);
  }
  return record;
}

function jsonOrText(text: string): Value {
  try {
    return parseJson(text, { wholeDoubles: true });
  } catch {
    return text;
  }
}

async function readValue(path: string, terminal: Terminal, style: Style): Promise<Value> {
  const { documents, problems } = readDocuments(new Source(path, await readText(path, terminal)));
  const [problem] = problems;
  if (problem !== undefined) {
    const told = problemText(problem, 'error', style);
    throw new CommandFailure(`${path} cannot be read\n${told.trimEnd()}`);
  }
  const [document, ...more] = documents;
  if (document === undefined) throw new CommandFailure(`${path}: the file contains no document`);
  if (more.length > 0) {
    throw new CommandFailure(
      `${path}: the file contains ${documents.length} documents; expected one`,
    );
  }
  return document.value;
}

async function readText(path: string, terminal: Terminal): Promise<string> {
  const { sources, problems } = await readSources([path], terminal);
  const [problem] = problems;
  const [source] = sources;
  if (problem !== undefined || source === undefined) {
    throw new CommandFailure(`${path}: ${problem?.message ?? 'nothing to read'}`);
  }
  return source.text;
}

function splitPairs(
  pairs: readonly string[] | undefined,
  option: string,
  form: string,
): readonly (readonly [string, string])[] {
  return (pairs ?? []).map((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new CommandFailure(`${option} ${pair}: expected ${form}`);
    return [pair.slice(0, equals), pair.slice(equals + 1)];
  });
}
