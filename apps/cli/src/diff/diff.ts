import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, KubernetesObject } from '@kubeadmit/apimachinery';
import { type Difference, type Differences, findDifferences } from '@kubeadmit/convert';
import { stringifyJson } from '@kubeadmit/go/internal';
import { schemasOf, sortInputs } from '@kubeadmit/lint';
import { stringifyYaml } from '@kubeadmit/manifest';
import { orCommandFailure } from '../check/prepare.ts';
import { type ProblemListener, readInputs } from '../check/read-inputs.ts';
import { problemText } from '../output/problems.ts';
import { styleFor } from '../output/style.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';

/** The options of `kubeadmit diff`. */
export interface DiffOptions {
  readonly resources: readonly string[];
  readonly search?: number;
  readonly seed?: number;
  readonly export?: string;
  readonly kubernetesVersion?: string;
  readonly output: 'text' | 'json' | 'markdown';
}

/** Prints the requests of which two sets of policies do not say the same. */
export async function diff(
  [before, after]: readonly [string, string],
  options: DiffOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.resources.length === 0 && options.search === undefined) {
    throw new CommandFailure('nothing to ask: give resources with -r, or --search with a number');
  }
  if (resolve(before) === resolve(after)) {
    throw new CommandFailure(
      `${before} is compared with itself: give the policies before and after`,
    );
  }
  const sides = [await read([before], terminal), await read([after], terminal)] as const;
  for (const [at, side] of sides.entries()) {
    if (side.some(({ manifest }) => /Policy$/.test(manifest.kind ?? ''))) continue;
    throw new CommandFailure(
      `no policy in ${at === 0 ? before : after}, so that nothing is compared`,
    );
  }
  if (isDeepStrictEqual(objectsOf(sides[0]), objectsOf(sides[1]))) {
    terminal.stderr.write('warning: the policies of both sides are the same\n');
  }
  const asked = options.resources.length === 0 ? [] : await read(options.resources, terminal);
  const { kubernetesVersion } = options;
  const all = sortInputs([...sides[0], ...sides[1], ...asked]);
  const schemas = await orCommandFailure(schemasOf(all, kubernetesVersion));
  const found = await findDifferences({
    old: objectsOf(sides[0]),
    new: objectsOf(sides[1]),
    resources: objectsOf(asked),
    schemas,
    clock: Date.now,
    ...(options.search === undefined ? {} : { search: options.search }),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
  });
  if (found.refused.length > 0) {
    for (const { side, resource, message } of found.refused) {
      terminal.stderr.write(`error: ${side}: ${resource} would be refused: ${message}\n`);
    }
    return exitCode.invalidPolicy;
  }
  if (found.requests === 0) {
    throw new CommandFailure(
      'no request could be made: no resource is given, and no kind is known',
    );
  }
  const { covered } = found;
  for (const side of ['old', 'new'] as const) {
    if (covered[side] > 0) continue;
    throw new CommandFailure(
      `no policy of ${side === 'old' ? before : after} had anything to say of ${counted(found.requests, 'request')}, so that nothing is compared`,
    );
  }
  if (options.export !== undefined)
    await exportCases(options.export, found, [...objectsOf(sides[1])]);
  const text =
    options.output === 'json'
      ? jsonText(found, objectsOf(sides[1]))
      : options.output === 'markdown'
        ? markdownText(found)
        : plainText(found);
  await write(terminal.stdout, text);
  return found.differences.length === 0 ? exitCode.success : exitCode.refused;
}

type Given = Awaited<ReturnType<typeof readInputs>>;

async function read(paths: readonly string[], terminal: Terminal): Promise<Given> {
  const style = styleFor(terminal.stderr, terminal.env);
  let isReadable = true;
  const listener: ProblemListener = {
    fail: (problem) => {
      isReadable = false;
      terminal.stderr.write(problemText(problem, 'error', style));
    },
    note: (problem) => terminal.stderr.write(problemText(problem, 'warning', style)),
  };
  const given = await readInputs([['any', paths]], { terminal, listener });
  if (!isReadable)
    throw new CommandFailure('some inputs cannot be read, so that nothing is compared');
  return given;
}

function objectsOf(given: Given): readonly KubernetesObject[] {
  return given.map(({ manifest }) => manifest.object as KubernetesObject);
}

// A case of `kubeadmit admit`, with the policies as they are now.
function caseOf({ request }: Difference, resources: readonly JsonObject[], at: number): object {
  return { id: `difference-${at + 1}`, resources, request };
}

function jsonText(
  { requests, covered, differences, unreached }: Differences,
  resources: readonly JsonObject[],
): string {
  const told = differences.map((each, at) => ({
    case: caseOf(each, resources, at),
    old: each.old,
    new: each.new,
  }));
  return stringifyJson({ requests, covered, unreached, differences: told });
}

function plainText({ requests, covered, differences, more, unreached }: Differences): string {
  const parts = differences.map(({ request, old, new: now }, at) => {
    const object = stringifyYaml(request.object ?? null);
    const sides = [`old: ${sideText(old)}`, `new: ${sideText(now)}`];
    return `difference ${at + 1}: ${request.operation} of\n${indented(object)}  ${sides.join('\n  ')}\n`;
  });
  const count = more
    ? `${differences.length} or more differences`
    : counted(differences.length, 'difference');
  const reached = `${covered.old} of ${covered.of.old} old and ${covered.new} of ${covered.of.new} new policies had something to say`;
  const never = unreached.map(
    ({ policy, condition, never: outcome }) =>
      `never ${outcome}, in ${policy}: ${condition.replaceAll('\n', ' ')}\n`,
  );
  return `${parts.join('\n')}${parts.length === 0 ? '' : '\n'}${never.join('')}${count} in ${counted(requests, 'request')}; ${reached}\n`;
}

/** For a pull request: what changes, each with the request that shows it. */
function markdownText(found: Differences): string {
  const { requests, differences, unreached } = found;
  const parts = differences.map(({ request, old, new: now }) => {
    const { kind, name } = request;
    const title = `${request.operation} of ${kind?.kind ?? 'an object'} \`${name ?? ''}\``;
    const object = stringifyYaml(request.object ?? null).trimEnd();
    return `### ${title}\n\n| before | after |\n| --- | --- |\n| ${cell(old)} | ${cell(now)} |\n\n\`\`\`yaml\n${object}\n\`\`\`\n`;
  });
  const never = unreached.map(
    ({ policy, condition, never: outcome }) =>
      `- ${policy}: \`${condition.replaceAll('\n', ' ')}\` was never ${outcome}\n`,
  );
  const rest = never.length === 0 ? '' : `\nNot reached by the search:\n\n${never.join('')}`;
  const count = counted(differences.length, 'difference');
  return `## ${count} in ${counted(requests, 'request')}\n\n${parts.join('\n')}${rest}`;
}

function cell(judgement: Difference['old']): string {
  return sideText(judgement).replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function counted(number: number, thing: string): string {
  return number === 1 ? `1 ${thing}` : `${number} ${thing}s`;
}

function sideText({ allowed, message, warnings = [], object }: Difference['old']): string {
  const verdict = allowed ? 'allowed' : `denied: ${message ?? ''}`;
  const warned = warnings.map((warning) => `, warning: ${warning}`).join('');
  return `${verdict}${warned}${object === undefined ? '' : `, changed to ${JSON.stringify(object)}`}`;
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '    ');
}

async function exportCases(
  folder: string,
  { differences }: Differences,
  resources: readonly JsonObject[],
): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const [at, each] of differences.entries()) {
      const file = join(folder, `difference-${at + 1}.json`);
      await writeFile(file, `${JSON.stringify(caseOf(each, resources, at))}\n`);
    }
  } catch (error) {
    throw new CommandFailure(`the cases cannot be written: ${(error as Error).message}`);
  }
}
