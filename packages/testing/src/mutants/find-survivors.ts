import { getOrMake } from '@kubeadmit/base';
import { loadChain } from '@kubeadmit/chain';
import type { Manifest } from '@kubeadmit/manifest';
import type { TestHost } from '../kyverno-tests/test-reader.ts';
import type { CaseCluster } from '../load/cluster-loader.ts';
import { type SuiteOptions, SuiteRun } from '../run/run-suite.ts';
import { type PolicyMutant, policyMutants } from './policy-mutants.ts';

/** Which changes of policies the tests notice. */
export interface MutationReport {
  /** Changes that leave a policy that the server would take. */
  readonly total: number;
  /** How many of them some test notices. */
  readonly caught: number;
  /** Mutations that no test catches. */
  readonly survivors: readonly PolicyMutant[];
}

/** Suites that were run and passed, with the cases that count. */
export interface PassedSuite {
  /** The suite with its cases. */
  readonly run: SuiteRun;
  /** The options of the run. */
  readonly options: SuiteOptions;
  /** The names of the cases that passed. */
  readonly passed: ReadonlySet<string>;
}

/** Changes each native policy of suites in each way, and finds the changes because of which no case fails. */
export async function findSurvivors(
  suites: readonly PassedSuite[],
  progress: (done: number, total: number) => void = () => {},
): Promise<MutationReport> {
  const policies = await policiesOf(suites);
  const all = [...policies.values()].flatMap(({ manifest, users }) =>
    policyMutants(manifest).map((mutant) => ({ mutant, users })),
  );
  const survivors: PolicyMutant[] = [];
  let total = 0;
  for (const [index, { mutant, users }] of all.entries()) {
    progress(index, all.length);
    const [first] = users;
    if (first === undefined || !(await isTaken(mutant, first))) continue;
    total++;
    if (!(await isNoticed(mutant, users))) survivors.push(mutant);
  }
  return { total, caught: total - survivors.length, survivors };
}

interface User {
  readonly suite: PassedSuite;
  readonly cluster: CaseCluster;
}

interface TestedPolicy {
  readonly manifest: Manifest;
  /** The suites that have it. */
  readonly users: readonly User[];
}

async function policiesOf(
  suites: readonly PassedSuite[],
): Promise<ReadonlyMap<string, TestedPolicy>> {
  const policies = new Map<string, TestedPolicy & { readonly users: User[] }>();
  for (const suite of suites) {
    for (const cluster of await suite.run.clusters()) {
      for (const manifest of cluster.inputs.policies) {
        const known = getOrMake(policies, keyOf(manifest), () => ({ manifest, users: [] }));
        if (!known.users.some((user) => user.suite === suite)) known.users.push({ suite, cluster });
      }
    }
  }
  return policies;
}

function keyOf({ file, line, kind, name }: Manifest): string {
  return `${file}:${line} ${kind}/${name}`;
}

/** Whether the server would take a changed policy. */
async function isTaken({ manifest }: PolicyMutant, { suite, cluster }: User): Promise<boolean> {
  const { schemas } = cluster;
  const chain = await loadChain({
    resources: [manifest.object],
    schemas,
    kubernetesVersion: schemas.version,
    clock: suite.options.host.clock,
  });
  return chain.cluster.errors.length === 0;
}

async function isNoticed(
  { original, manifest }: PolicyMutant,
  users: readonly User[],
): Promise<boolean> {
  const key = keyOf(original);
  const substitute = (one: Manifest): Manifest => (keyOf(one) === key ? manifest : one);
  for (const { suite } of users) {
    const options = { ...suite.options, coverage: undefined, strict: false, substitute };
    const run = await SuiteRun.prepare(suite.run.suite, options);
    for (const one of run.cases) {
      if (!suite.passed.has(one.name)) continue;
      if ((await run.run(one)).result !== 'pass') return true;
    }
  }
  return false;
}

/** A host that reads each file once. */
export function memoizedHost(host: TestHost): TestHost {
  const known = new Map<string, ReturnType<TestHost['read']>>();
  return {
    ...host,
    read: (path, from) =>
      getOrMake(known, JSON.stringify([path, from]), () => host.read(path, from)),
  };
}
