import { loadCluster } from '@kubeadmit/admission';
import { changeObject, type Gates, makeGates } from '../check/gates.ts';
import type { InputOptions } from '../check/options.ts';
import { type PreparedRequest, prepareCheck, type ReportProblem } from '../check/prepare.ts';
import type { PatchOperation } from '../check/report.ts';
import { refusalsOf } from '../check/run.ts';
import { stringifyJson } from '../manifest/write-json.ts';
import { stringifyYaml } from '../manifest/write-yaml.ts';
import { problemText } from '../output/problems.ts';
import { printable, type Style, styleFor } from '../output/style.ts';
import { type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';

/** The options of `kubeadmit mutate`. */
export interface MutateOptions extends InputOptions {
  readonly output: 'yaml' | 'json';
  readonly diff?: boolean;
}

/** Prints what mutating policies make of manifests, or what they change. */
export async function mutate(
  paths: readonly string[],
  options: MutateOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const style = styleFor(terminal.stderr, terminal.env);
  const report: ReportProblem = (problem, severity) => {
    terminal.stderr.write(problemText(problem, severity, style));
  };
  const prepared = await prepareCheck(paths, options, terminal, report);
  if (prepared === undefined) return exitCode.usage;
  const held = prepared.held.filter(({ kind }) => !kind.startsWith('ValidatingAdmissionPolicy'));
  const cluster = loadCluster({
    resources: held.map(({ object }) => object),
    schemas: prepared.schemas,
    kubernetesVersion: options.kubernetesVersion,
  });
  if (cluster.errors.length > 0) {
    const { problems, policies } = refusalsOf(cluster, held);
    for (const problem of problems) report(problem, 'error');
    return policies ? exitCode.invalidPolicy : exitCode.usage;
  }
  const gates = await makeGates({ ...prepared, held }, cluster, options.kubernetesVersion);
  for (const problem of gates.kyverno?.unsupported ?? []) report(problem, 'warning');
  const dressed = styleFor(terminal.stdout, terminal.env);
  const codes: ExitCode[] = [];
  for (const [index, request] of prepared.requests.entries()) {
    const mutated = mutateOne(gates, request);
    if ('message' in mutated) {
      const problem = { file: request.manifest.file, message: mutated.message };
      report({ ...problem, message: `${request.manifest.title}: ${problem.message}` }, 'error');
      codes.push(mutated.exitCode);
    } else if (options.diff === true) {
      await write(terminal.stdout, diffText(request, mutated, dressed));
    } else {
      await write(terminal.stdout, objectText(mutated.object, options.output, index));
    }
  }
  return codes.find((code) => code === exitCode.usage) ?? codes[0] ?? exitCode.success;
}

interface Mutated {
  readonly object: unknown;
  readonly patch: readonly PatchOperation[];
  /** The policies that changed it, in the order in which they did. */
  readonly policies: readonly string[];
}

interface NotMutated {
  readonly message: string;
  readonly exitCode: ExitCode;
}

function mutateOne(gates: Gates, { request }: PreparedRequest): Mutated | NotMutated {
  const { failure, allowed, message, object, patch, findings } = changeObject(
    gates,
    request,
    new Map(),
  );
  if (failure !== undefined) return { message: failure, exitCode: exitCode.usage };
  if (!allowed) return { message: message ?? 'denied', exitCode: exitCode.refused };
  const changes = findings.filter(({ verdict }) => verdict === 'mutate');
  const policies = [...new Set(changes.map(({ policy }) => policy))];
  return { object, patch, policies };
}

function objectText(object: unknown, output: 'yaml' | 'json', index: number): string {
  if (output === 'json') return `${stringifyJson(object, 2)}\n`;
  return `${index === 0 ? '' : '---\n'}${stringifyYaml(object)}`;
}

function diffText({ manifest }: PreparedRequest, mutated: Mutated, style: Style): string {
  const { patch, policies } = mutated;
  const head = `${style.bold(printable(manifest.title))} ${style.dim(`(${printable(manifest.file)})`)}`;
  if (patch.length === 0) return `${head}: ${style.dim('unchanged')}\n`;
  const lines = patch.map(({ op, path, value }) => {
    const dress = op === 'remove' ? style.red : style.green;
    const json = value === undefined ? '' : ` ${stringifyJson(value)}`;
    return `  ${dress(printable(`${op} ${path}${json}`))}\n`;
  });
  return `${head}: changed by ${printable(policies.join(', '))}\n${lines.join('')}`;
}
