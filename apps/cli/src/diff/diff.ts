import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, KubernetesObject } from '@kubeadmit/apimachinery';
import { defined } from '@kubeadmit/base';
import { type Differences, findDifferences } from '@kubeadmit/difference';
import { schemasOf, sortInputs } from '@kubeadmit/lint';
import { refusedObjects } from '@kubeadmit/lint/inputs';
import { readInputs } from '../input/read-inputs.ts';
import { jsonWithoutCommands } from '../output/ci-commands.ts';
import { counted } from '../output/counts.ts';
import { printable } from '../output/style.ts';
import { noteUnknownFields } from '../output/unknown-fields.ts';
import { orCommandFailure, ProblemKeeper, problemReporter } from '../prepare/prepare.ts';
import {
  CommandFailure,
  type ExitCode,
  exitCode,
  type Terminal,
  write,
} from '../process/terminal.ts';
import { jsonText, markdownText, plainText } from './difference-texts.ts';
import { exportTests, refuseFolder } from './export-tests.ts';

const policyGroup = 'admissionregistration.k8s.io';

/** The options of `kubeadmit diff`. */
export interface DiffOptions {
  readonly resources: readonly string[];
  readonly search?: number;
  readonly seed?: number;
  readonly export?: string;
  readonly verdicts?: boolean;
  readonly kubernetesVersion?: string;
  readonly output: 'text' | 'json' | 'markdown';
}

/** Prints the requests of which two sets of policies do not say the same. */
export async function diff(
  [before, after]: readonly [string, string],
  options: DiffOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  refuseOptions([before, after], options);
  const old = await read([before], terminal);
  const now = await read([after], terminal);
  refusePolicyless(before, old);
  refusePolicyless(after, now);
  if (isDeepStrictEqual(objectsOf(old), objectsOf(now))) {
    terminal.stderr.write('warning: the policies of both sides are the same\n');
  }
  const asked = options.resources.length === 0 ? [] : await read(options.resources, terminal);
  const { kubernetesVersion } = options;
  const all = sortInputs([...old, ...now, ...asked]);
  const schemas = await orCommandFailure(schemasOf(all, kubernetesVersion));
  noteUnknownFields(
    [...old, ...now].map(({ manifest }) => manifest),
    schemas,
    terminal,
  );
  const rejected = refusedObjects(
    [...old, ...now].map(({ manifest }) => manifest),
    schemas,
  );
  if (rejected.length > 0) {
    const report = problemReporter(terminal);
    for (const problem of rejected) report(problem, 'error');
    const isPolicy = rejected.some(({ manifest }) => manifest.group === policyGroup);
    return isPolicy ? exitCode.invalidPolicy : exitCode.usage;
  }
  const found = await findDifferences({
    old: objectsOf(old),
    new: objectsOf(now),
    resources: objectsOf(asked),
    schemas,
    clock: Date.now,
    likeness: options.verdicts === true ? 'verdicts' : 'texts',
    ...defined({ search: options.search, seed: options.seed }),
  });
  if (found.refused.length > 0) {
    for (const { side, resource, message } of found.refused) {
      const where = placeOf(resource, side === 'old' ? old : now);
      const text = `${where}error: ${side}: ${resource} would be rejected: ${message}`;
      terminal.stderr.write(`${printable(text)}\n`);
    }
    return exitCode.invalidPolicy;
  }
  if (found.requests === 0) {
    throw new CommandFailure('no requests: no resources were given, and no known kind to generate');
  }
  refuseSilent({ old: [before, old], new: [after, now] }, found);
  // Requests need the objects that the search created: namespaces with labels, definitions of kinds.
  const resourcesOf = (side: Given): readonly JsonObject[] => [
    ...objectsOf(side),
    ...found.namespaces,
    ...found.definitions,
  ];
  if (options.export !== undefined) {
    exportTests(options.export, found, { old: resourcesOf(old), new: resourcesOf(now) });
  }
  const text =
    options.output === 'json'
      ? jsonWithoutCommands(jsonText(found, resourcesOf(now)))
      : options.output === 'markdown'
        ? printable(markdownText(found))
        : printable(plainText(found));
  await write(terminal.stdout, text);
  return found.differences.length === 0 ? exitCode.success : exitCode.refused;
}

function refuseOptions(
  [before, after]: readonly [string, string],
  { resources, search, seed, export: folder }: DiffOptions,
): void {
  if (resources.length === 0 && search === undefined) {
    throw new CommandFailure('no requests to compare: pass resources with -r, or use --search');
  }
  if (seed !== undefined && search === undefined) {
    throw new CommandFailure('--seed requires --search');
  }
  if (folder !== undefined) refuseFolder(folder);
  if (resolve(before) === resolve(after)) {
    throw new CommandFailure(
      `${before} was given twice; pass the policies before and after the change`,
    );
  }
}

function refusePolicyless(path: string, side: Given): void {
  if (side.some(({ manifest }) => /Policy$/.test(manifest.kind ?? ''))) return;
  throw new CommandFailure(`no policy in ${nameOf(path)}, so nothing was compared`);
}

// If the policies of one side never match, both sides would be equal without a comparison.
function refuseSilent(
  sides: Readonly<Record<'old' | 'new', readonly [path: string, given: Given]>>,
  { requests, covered }: Differences,
): void {
  for (const side of ['old', 'new'] as const) {
    if (covered[side] > 0) continue;
    const [path, given] = sides[side];
    throw new CommandFailure(
      `no policy of ${nameOf(path)} matched any of ${counted(requests, 'request')}, so nothing was compared${bindingAdvice(given)}`,
    );
  }
}

type Given = Awaited<ReturnType<typeof readInputs>>;

async function read(paths: readonly string[], terminal: Terminal): Promise<Given> {
  const listener = new ProblemKeeper(problemReporter(terminal));
  const given = await readInputs([['any', paths]], { terminal, listener });
  if (listener.unreadable.length > 0)
    throw new CommandFailure('some inputs cannot be read, so nothing was compared');
  return given;
}

function nameOf(path: string): string {
  return path === '-' ? '<stdin>' : path;
}

// Returns the position of a rejected object.
function placeOf(resource: string, given: Given): string {
  const found = given.find(({ manifest: { kind, name } }) => resource === `${kind}/${name}`);
  return found === undefined ? '' : `${found.manifest.file}:${found.manifest.line}: `;
}

// A native policy acts only through its bindings, which are often in other files.
function bindingAdvice(given: Given): string {
  const kinds = given.map(({ manifest }) => manifest.kind);
  const isPolicy = /^(?:Validating|Mutating)AdmissionPolicy$/;
  const isUnbound =
    kinds.some((kind) => isPolicy.test(kind)) && !kinds.some((kind) => kind.endsWith('Binding'));
  return isUnbound ? '; a policy needs a binding to take effect: include it' : '';
}

function objectsOf(given: Given): readonly KubernetesObject[] {
  return given.map(({ manifest }) => manifest.object as KubernetesObject);
}
