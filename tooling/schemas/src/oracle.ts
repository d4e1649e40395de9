import { spawnSync } from 'node:child_process';

/** A case of `oracle decode`, and its answer. */
export interface DecodeCase {
  readonly id: string;
  readonly kubernetesVersion?: string;
  readonly resources: readonly unknown[];
}

export interface DecodeAnswer {
  readonly id: string;
  readonly objects: readonly unknown[];
  readonly errors?: readonly unknown[];
  readonly failure?: string;
}

/** Asks the oracle (its path is in the environment variable ORACLE). */
export function askOracle(cases: readonly DecodeCase[]): DecodeAnswer[] {
  const path = process.env['ORACLE'];
  if (!path) throw new Error('set ORACLE to the path of the oracle');
  const { stdout, stderr, status } = spawnSync(path, ['decode'], {
    input: cases.map((each) => JSON.stringify(each)).join('\n'),
    maxBuffer: 2 ** 30,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the oracle failed: ${stderr}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as DecodeAnswer);
}

/** The JSON of a value with sorted keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** The day of a comparison, which is where defaults that are the time of the request are the same. */
export const today: string = new Date().toISOString().slice(0, 10);

/** The JSON of a value with sorted keys and without times of the request. */
export function comparable(value: unknown): string {
  const ofRequest = new RegExp(`"timeAdded":"${today}T[^"]+"`, 'g');
  return canonical(value).replaceAll(ofRequest, '"timeAdded":"now"');
}
