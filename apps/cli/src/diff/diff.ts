import { existsSync, readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject, type KubernetesObject } from '@kubeadmit/apimachinery';
import { type Difference, type Differences, findDifferences } from '@kubeadmit/convert';
import { makeFolder } from '@kubeadmit/files';
import { stringifyJson } from '@kubeadmit/go/internal';
import { schemasOf, sortInputs } from '@kubeadmit/lint';
import { stringifyYaml } from '@kubeadmit/manifest';
import { orCommandFailure, ProblemKeeper, problemReporter } from '../check/prepare.ts';
import { readInputs } from '../check/read-inputs.ts';
import { writeErrorText } from '../input/streams.ts';
import { noteUnknownFields } from '../input/unknown-fields.ts';
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
  if (options.seed !== undefined && options.search === undefined) {
    throw new CommandFailure('--seed is what a search begins with: give --search, too');
  }
  if (options.export !== undefined) refuseFolder(options.export);
  if (resolve(before) === resolve(after)) {
    throw new CommandFailure(
      `${before} is compared with itself: give the policies before and after`,
    );
  }
  const sides = [await read([before], terminal), await read([after], terminal)] as const;
  for (const [at, side] of sides.entries()) {
    if (side.some(({ manifest }) => /Policy$/.test(manifest.kind ?? ''))) continue;
    throw new CommandFailure(
      `no policy in ${nameOf(at === 0 ? before : after)}, so that nothing is compared`,
    );
  }
  if (isDeepStrictEqual(objectsOf(sides[0]), objectsOf(sides[1]))) {
    terminal.stderr.write('warning: the policies of both sides are the same\n');
  }
  const asked = options.resources.length === 0 ? [] : await read(options.resources, terminal);
  const { kubernetesVersion } = options;
  const all = sortInputs([...sides[0], ...sides[1], ...asked]);
  const schemas = await orCommandFailure(schemasOf(all, kubernetesVersion));
  noteUnknownFields(
    sides.flat().map(({ manifest }) => manifest),
    schemas,
    terminal,
  );
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
      const where = placeOf(resource, sides[side === 'old' ? 0 : 1]);
      terminal.stderr.write(`${where}error: ${side}: ${resource} would be refused: ${message}\n`);
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
    const [path, given] = side === 'old' ? [before, sides[0]] : [after, sides[1]];
    throw new CommandFailure(
      `no policy of ${nameOf(path)} had anything to say of ${counted(found.requests, 'request')}, so that nothing is compared${bindingAdvice(given)}`,
    );
  }
  if (options.export !== undefined) {
    const [old, now] = sides.map((side) => [...objectsOf(side), ...besides(found)]);
    await exportTests(options.export, found, { old: old ?? [], new: now ?? [] });
  }
  const text =
    options.output === 'json'
      ? jsonText(found, [...objectsOf(sides[1]), ...besides(found)])
      : options.output === 'markdown'
        ? markdownText(found)
        : plainText(found);
  await write(terminal.stdout, text);
  return found.differences.length === 0 ? exitCode.success : exitCode.refused;
}

type Given = Awaited<ReturnType<typeof readInputs>>;

async function read(paths: readonly string[], terminal: Terminal): Promise<Given> {
  const listener = new ProblemKeeper(problemReporter(terminal));
  const given = await readInputs([['any', paths]], { terminal, listener });
  if (listener.unreadable.length > 0)
    throw new CommandFailure('some inputs cannot be read, so that nothing is compared');
  return given;
}

function nameOf(path: string): string {
  return path === '-' ? '<stdin>' : path;
}

// Where a refused object stands.
function placeOf(resource: string, given: Given): string {
  const found = given.find(({ manifest: { kind, object } }) => {
    const { name } = (object['metadata'] ?? {}) as JsonObject;
    return resource === `${kind}/${String(name)}`;
  });
  return found === undefined ? '' : `${found.manifest.file}:${found.manifest.line}: `;
}

// A policy of admission acts through its bindings alone, which lie in files of their own often.
function bindingAdvice(given: Given): string {
  const kinds = given.map(({ manifest }) => manifest.kind);
  const isPolicy = /^(?:Validating|Mutating)AdmissionPolicy$/;
  const isUnbound =
    kinds.some((kind) => isPolicy.test(kind)) && !kinds.some((kind) => kind.endsWith('Binding'));
  return isUnbound ? '; a policy acts through its binding: give the file with it, too' : '';
}

function objectsOf(given: Given): readonly KubernetesObject[] {
  return given.map(({ manifest }) => manifest.object as KubernetesObject);
}

// What the search made up, and what its requests need: namespaces with labels, definitions of kinds.
function besides({ namespaces, definitions }: Differences): readonly JsonObject[] {
  return [...namespaces, ...definitions];
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
    const sides = [`old: ${sideText(old)}`, `new: ${sideText(now)}`];
    return `difference ${at + 1}: ${titleOf(request)}\n${indented(objectText(request))}  ${sides.join('\n  ')}\n`;
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
    const object = objectText(request).trimEnd();
    return `### ${titleOf(request, '`')}\n\n| before | after |\n| --- | --- |\n| ${cell(old)} | ${cell(now)} |\n\n\`\`\`yaml\n${object}\n\`\`\`\n`;
  });
  const never = unreached.map(
    ({ policy, condition, never: outcome }) =>
      `- ${policy}: \`${condition.replaceAll('\n', ' ')}\` was never ${outcome}\n`,
  );
  const rest = never.length === 0 ? '' : `\nNot reached by the search:\n\n${never.join('')}`;
  const count = counted(differences.length, 'difference');
  return `## ${count} in ${counted(requests, 'request')}\n\n${parts.join('\n')}${rest}`;
}

type Request = Difference['request'];

// Of a deletion the object that is there; of an update, that before after the new one, where they are not the same.
function objectText({ object, oldObject }: Request): string {
  const isChanged =
    isObject(object) && isObject(oldObject) && !isDeepStrictEqual(object, oldObject);
  const shown = isChanged ? [object, oldObject] : [object ?? oldObject ?? null];
  return shown.map(stringifyYaml).join('--- # before\n');
}

// Who asks is told where it is not the usual user.
function titleOf(request: Request, mark = ''): string {
  const { operation, kind, subResource, name = '', namespace = '', userInfo } = request;
  const resource = `${kind?.kind ?? 'an object'}${subResource ? `/${subResource}` : ''}`;
  const place = namespace === '' || namespace === name ? name : `${namespace}/${name}`;
  const username = userInfo?.username ?? '';
  const groups = userInfo?.groups ?? [];
  const isUsual = username === 'alice' && groups.join() === 'system:authenticated';
  const user = isUsual ? '' : ` by ${mark}${username}${mark} (${groups.join(', ')})`;
  return `${operation} of ${resource} ${mark}${place}${mark}${user}`;
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

/** A test with both sides of each difference, and the policies that it is about: `kubeadmit test FOLDER` replays them. */
async function exportTests(
  folder: string,
  { differences }: Differences,
  sides: Readonly<Record<Side, readonly JsonObject[]>>,
): Promise<void> {
  const texts = new Map<string, string>();
  for (const side of ['old', 'new'] as const) {
    texts.set(`${side}.yaml`, sides[side].map(stringifyYaml).join('---\n'));
  }
  for (const [at, difference] of differences.entries()) {
    const suite = {
      name: `difference ${at + 1}: ${titleOf(difference.request)}`,
      // A policy of a side may have nothing to say of the request.
      strict: false,
      request: difference.request,
      cases: (['old', 'new'] as const).map((side) => ({
        name: side,
        policies: [`${side}.yaml`],
        expect: expectationOf(difference[side]),
      })),
    };
    texts.set(`difference-${at + 1}.admit.yaml`, stringifyYaml(suite));
  }
  try {
    makeFolder(folder);
    for (const [name, text] of texts) await writeFile(join(folder, name), text);
  } catch (error) {
    throw new CommandFailure(`--export ${folder}: ${writeErrorText(error as Error)}`);
  }
}

// What lies there would be lost, and tests of an earlier run would be replayed with the policies of this one.
function refuseFolder(folder: string): void {
  if (folder === '') throw new CommandFailure('--export needs the name of a folder');
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new CommandFailure(`--export ${folder}: is no folder`);
  if (readdirSync(folder).length === 0) return;
  throw new CommandFailure(
    `--export ${folder}: is not empty: name a new folder, or empty this one`,
  );
}

type Side = 'old' | 'new';

// Of an error a test knows what the policy says, and not the server's words around it.
function saidText(message: string): string {
  const [, error] = /denied request: (expression .* resulted in error: .*)$/s.exec(message) ?? [];
  return error ?? message;
}

function expectationOf({
  allowed,
  message,
  warnings,
  audited,
  object,
}: Difference['old']): JsonObject {
  if (!allowed) {
    return {
      verdict: ['denied', 'error', 'invalid'],
      ...(message === undefined ? {} : { message: { equals: saidText(message) } }),
    };
  }
  const told = [
    ...(object === undefined ? [] : ['mutated']),
    ...(warnings === undefined ? [] : ['warned']),
    ...(audited === undefined ? [] : ['audited', 'error']),
  ];
  return {
    verdict: told.length === 0 ? ['allowed', 'not concerned'] : told,
    ...(warnings === undefined ? {} : { warnings }),
    ...(object === undefined ? {} : { wholeObject: object as JsonObject }),
  };
}
