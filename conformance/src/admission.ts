import { admit, type Cluster, loadCluster } from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { Double } from '@kubeadmit/cel';
import { field, type Json, type JsonObject, printJson } from '@kubeadmit/conformance-tools';
import { type AdmissionRequest, checkTypes } from '@kubeadmit/engine';
import { checkMutations, type MutationProblem } from '@kubeadmit/lint';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { newestSchemas } from './schemas.ts';

let last: { readonly key: string; readonly cluster: Promise<Cluster> } | undefined;

/** Answers a case of `kubeadmit admit -`; throws when the patch does not lead to the object. */
export async function answerAdmission(input: JsonObject): Promise<object> {
  const cluster = await clusterOf(input);
  const refused = cluster.errors.length > 0 ? { errors: cluster.errors } : {};
  const request = field(input, 'request') as AdmissionRequest;
  const outcome = admit(cluster, request, { allowIncomplete: true });
  if (outcome.failure !== undefined) return { ...refused, failure: outcome.failure };
  const { response, object } = outcome;
  checkAlarms(cluster, request, outcome.trace);
  if (response.patch !== undefined) checkPatch(response.patch, request.object, object);
  return { ...refused, response, object };
}

/** Answers a case of `kubeadmit lint --batch -`. */
export async function answerLint(input: JsonObject): Promise<object> {
  const { errors, validatingPolicies, schemas } = await clusterOf(input);
  const typeChecking = validatingPolicies.map((policy) => ({
    policy: policy.metadata?.name ?? '',
    expressionWarnings: checkTypes(policy, schemas),
  }));
  return { errors, typeChecking };
}

/** Cases in a row often share their resources, and compiling policies takes most of the time. */
function clusterOf(input: JsonObject): Promise<Cluster> {
  const { resources = [], kubernetesVersion = null } = input;
  const key = printJson([kubernetesVersion, resources]);
  if (last?.key !== key) last = { key, cluster: load(resources, kubernetesVersion) };
  return last.cluster;
}

async function load(resources: Json, version: Json): Promise<Cluster> {
  return loadCluster({
    emulated: true,
    onErrors: 'report',
    checkDefinitions: false,
    resources: resources as readonly unknown[] as readonly KubernetesObject[],
    schemas: await newestSchemas(),
    kubernetesVersion: typeof version === 'string' ? version : undefined,
  });
}

/** The patch of a response leads from the object that was sent to the one that was answered. */
function checkPatch(patch: string, from: unknown, to: unknown): void {
  const operations: Operation[] = JSON.parse(Buffer.from(patch, 'base64').toString());
  // Through this key fast-json-patch sets prototypes; the object itself is compared all the same.
  if (operations.some(({ path }) => path.includes('__proto__'))) return;
  const { newDocument } = jsonPatch.applyPatch(copy(from), operations, true, true, false);
  if (jsonPatch.compare(newDocument, copy(to)).length > 0) {
    throw new Error(`the patch gives another object: ${JSON.stringify(operations)}`);
  }
}

type Trace = Extract<ReturnType<typeof admit>, { readonly trace: unknown }>['trace'];

/** The problems in the mutations of policies, which consecutive cases share. */
const problemsOf = new WeakMap<object, readonly MutationProblem[]>();

/** The lint finds no error in a mutation that was made. */
function checkAlarms(
  { mutatingPolicies, schemas }: Cluster,
  request: AdmissionRequest,
  trace: Trace,
) {
  const { kind, version } = request.requestKind ?? request.kind ?? {};
  for (const { policy: name, mutation } of madeMutations(trace)) {
    const policy = mutatingPolicies.find(({ metadata }) => metadata?.name === name);
    if (policy === undefined) throw new Error(`no policy ${name}`);
    const problems = problemsOf.get(policy) ?? checkMutations(policy, schemas);
    problemsOf.set(policy, problems);
    const alarm = problems.find(
      ({ fieldRef, severity, kinds }) =>
        severity === 'error' &&
        fieldRef.startsWith(`spec.mutations[${mutation}].`) &&
        kinds.some((each) => each.kind === kind && each.version === version),
    );
    if (alarm !== undefined) throw new Error(`an error about a mutation made: ${alarm.message}`);
  }
}

function madeMutations(trace: Trace): { policy: string; mutation: number }[] {
  return trace.flatMap(({ policy, bindings }) =>
    bindings
      .flatMap(({ evaluations }) => evaluations)
      .flatMap(({ mutations = [] }) => mutations)
      .filter(({ outcome }) => outcome !== 'error')
      .map(({ mutation }) => ({ policy, mutation })),
  );
}

/** A copy with plain numbers only. */
function copy(value: unknown): object {
  const text = JSON.stringify(value, (_, item: unknown) => {
    if (item instanceof Double) return item.value;
    return typeof item === 'bigint' ? Number(item) : item;
  });
  return JSON.parse(text) as object;
}
