import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../find-program.ts';
import { ElsewhereError, type FoundText } from './found-text.ts';

/** How programs of the user are run. */
export interface ProgramSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The size in bytes above which an output is not taken. */
  readonly maxFileSize: number;
  /** Values files of charts, as for `helm template --values`. */
  readonly helmValues?: readonly string[] | undefined;
  readonly namespace?: string | undefined;
}

/**
 * Runs a program of the user and returns its output; undefined if `PATH` has no such program.
 *
 * @param args those that are paths go through {@link pathArgument}
 * @throws ElsewhereError with the program's own error, if it fails
 */
export function outputOf(
  program: string,
  args: readonly string[],
  { env, maxFileSize }: Pick<ProgramSettings, 'env' | 'maxFileSize'>,
  input?: string,
): Uint8Array | undefined {
  const file = findProgram(program, env);
  if (file === undefined) return undefined;
  const { error, status, signal, stdout, stderr } = spawnSync(file, args, {
    env: { ...env },
    maxBuffer: Math.min(maxFileSize, 2 ** 31),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(input === undefined ? {} : { input }),
  });
  const code = error === undefined ? undefined : (error as NodeJS.ErrnoException).code;
  const called = `\`${[program, ...args].join(' ')}\``;
  if (code === 'ENOBUFS') {
    throw new ElsewhereError(`${called} printed more than ${maxFileSize} bytes (--max-file-size)`);
  }
  if (error !== undefined) throw new ElsewhereError(`${called}: ${error.message}`);
  if (status === 0) return stdout;
  // Credential helpers print their errors to standard output.
  const printed = stderr.length > 0 ? stderr : stdout;
  const reason = printed.toString('utf8').trim().split('\n').slice(0, 5).join('; ');
  throw new ElsewhereError(
    `${called} ended with ${signal ?? status}${reason === '' ? '' : `: ${reason}`}`,
    status,
  );
}

/** Returns a path as an argument that no program takes for an option. */
export function pathArgument(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

/** Whether a folder is a chart of Helm. */
export function isChart(folder: string): boolean {
  return existsSync(join(folder, 'Chart.yaml'));
}

/**
 * The manifests of a chart, rendered by the user's own `helm`.
 *
 * @throws ElsewhereError where there is none, or the chart does not render.
 */
export function renderChart(folder: string, settings: ProgramSettings): FoundText {
  const { helmValues = [], namespace } = settings;
  const args = [
    'template',
    'release',
    pathArgument(folder),
    ...(namespace === undefined ? [] : [`--namespace=${namespace}`]),
    ...helmValues.map((file) => `--values=${file}`),
  ];
  const bytes = outputOf('helm', args, settings);
  if (bytes === undefined) {
    throw new ElsewhereError(
      'this is a chart, and there is no `helm` to render it: install it, or give the output of `helm template` to `-r -`',
    );
  }
  return { name: `${folder} (helm template)`, bytes };
}

const kustomizations = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Whether a folder is a kustomization. */
export function isKustomization(folder: string): boolean {
  return kustomizations.some((name) => existsSync(join(folder, name)));
}

/**
 * The manifests of a kustomization, built by the user's own `kustomize`, or else by `kubectl kustomize`; undefined where
 * there is neither.
 *
 * @throws ElsewhereError where it does not build.
 */
export function buildKustomization(
  folder: string,
  settings: ProgramSettings,
): FoundText | undefined {
  const bytes =
    outputOf('kustomize', ['build', pathArgument(folder)], settings) ??
    outputOf('kubectl', ['kustomize', pathArgument(folder)], settings);
  return bytes && { name: `${folder} (kustomize build)`, bytes };
}
