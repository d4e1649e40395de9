import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import {
  commandOf,
  comparableWrite,
  type Difference,
  describeDifferences,
  differences,
  type Json,
  type JsonObject,
  parseJson,
  printJson,
  splitLine,
} from '@kubeadmit/conformance-tools';
import { answerLine, loadAnswerer, type MachineCommand } from '@kubeadmit/machine';
import type { WriteRequest } from './write-request.ts';

const USAGE = `usage: compare-writes FILE [--examples N] [--class TEXT]

Answers the recorded cases of \`kubeadmit write -\` and prints the differences by kind: the request, the
field that differs, and the codes or messages. Names and numbers do not count. --class shows only kinds
that contain a text, with N examples each (1).`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    examples: { type: 'string', default: '1' },
    class: { type: 'string', default: '' },
  },
});

/** The cases with one kind of difference. */
interface Kind {
  count: number;
  readonly examples: string[];
}

async function compare(path: string): Promise<number> {
  const answerer = await loadAnswerer('write' as MachineCommand, { clock: Date.now });
  const kinds = new Map<string, Kind>();
  let equal = 0;
  for (const line of readLines(path)) {
    const { input, answer } = splitLine(commandOf('write'), parseJson(line) as JsonObject);
    const actual = parseJson(await answerLine(printJson(input), answerer)) as JsonObject;
    const found = differences(comparableWrite(answer), comparableWrite(actual));
    if (found.length === 0) equal++;
    else note(kinds, input, found);
  }
  const different = [...kinds.values()].reduce((sum, { count }) => sum + count, 0);
  report(kinds);
  console.log(`\n${equal} equal, ${different} different`);
  return different === 0 ? 0 : 1;
}

function readLines(path: string): readonly string[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.trimEnd().split('\n');
}

function note(kinds: Map<string, Kind>, input: JsonObject, found: readonly Difference[]): void {
  const name = kindOf(input['request'] as unknown as WriteRequest, found);
  const kind = kinds.get(name) ?? { count: 0, examples: [] };
  kinds.set(name, kind);
  kind.count++;
  if (kind.examples.length < Number(values.examples)) {
    kind.examples.push(`${String(input['id'])}\n${describeDifferences(found)}`);
  }
}

/** The kind of a difference: the request, then a failure, the codes, the message, or the first field. */
function kindOf(
  { verb, resource, subresource }: WriteRequest,
  found: readonly Difference[],
): string {
  const head = `${verb} ${resource.resource}${subresource === undefined ? '' : `/${subresource}`}`;
  const at = (path: string): Difference | undefined => found.find((each) => each.path === path);
  const shown = (value: Json | undefined): string =>
    value === undefined ? 'nothing' : general(printJson(value)).slice(0, 160);
  const failure = at('failure');
  if (failure !== undefined) return `${head}: failure ${shown(failure.actual)}`;
  const code = at('code');
  if (code !== undefined) {
    const message = at('status.message') ?? found.find(({ path }) => path === 'status');
    return `${head}: code ${shown(code.expected)} → ${shown(code.actual)}: ${shown(message?.expected)} → ${shown(message?.actual)}`;
  }
  const first = at('status.message') ?? found[0];
  const field = first?.path.replaceAll(/\[\d+\]/g, '[]') ?? '';
  const isText = field === 'status.message' || field.startsWith('warnings');
  return isText
    ? `${head}: ${field}: ${shown(first?.expected)} → ${shown(first?.actual)}`
    : `${head}: ${field}`;
}

/** A text without the names and numbers of one case. */
function general(text: string): string {
  return text.replaceAll(/\\"[^"]*\\"/g, '…').replaceAll(/\d+/g, 'N');
}

function report(kinds: ReadonlyMap<string, Kind>): void {
  const shown = [...kinds].filter(([name]) => name.includes(values.class));
  for (const [name, { count, examples }] of shown.sort((a, b) => b[1].count - a[1].count)) {
    console.log(`${count} × ${name}`);
    for (const example of examples) console.log(`  ${example.replaceAll('\n', '\n  ')}`);
  }
}

const [path] = positionals;
if (path === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  process.exitCode = await compare(path);
}
