import type { Inputs } from '@kubeadmit/lint';
import { definitionProblems, refusedObjects } from '@kubeadmit/lint/inputs';
import type { Manifest } from '@kubeadmit/manifest';
import { decode, type Schemas } from '@kubeadmit/schemas';
import type { Validation } from './field-validation.ts';
import type { ProblemCollector } from './problem-collector.ts';

/** The inputs among which refused objects and fields are found. */
export interface ExaminedInputs {
  readonly all: Inputs;
  readonly schemas: Schemas;
  /** The objects to check; the report contains their own errors. */
  readonly subjects: readonly Manifest[];
  /** The objects that a cluster has accepted. */
  readonly ofCluster: ReadonlySet<Manifest>;
}

/** Returns the inputs without objects that never take effect, since the server would not store them; reports those. */
export async function acceptedInputs(
  { all, schemas, subjects, ofCluster }: ExaminedInputs,
  problems: ProblemCollector,
): Promise<Inputs> {
  const isSubject = new Set(subjects);
  const needed = [...all.policies, ...all.bindings, ...all.context];
  const refused = refusedObjects(
    needed.filter((manifest) => !ofCluster.has(manifest)),
    schemas,
  );
  for (const problem of await definitionProblems(all, schemas)) {
    if (ofCluster.has(problem.manifest)) problems.warn(problem);
    else problems.leaveOut(problem);
  }
  for (const problem of refused) {
    if (isSubject.has(problem.manifest)) continue;
    if (isPolicyKind(problem.manifest)) problems.refuse(problem, 'error');
    else problems.leaveOut(problem);
  }
  // For checked objects, the report itself contains the type errors.
  const undecodable = all.context.filter(
    (each) => isSubject.has(each) && decode(schemas, each.object).error !== undefined,
  );
  const isRefused = new Set([...refused.map(({ manifest }) => manifest), ...undecodable]);
  return without({ ...all, subjects }, isRefused);
}

/** Reports the fields of policies and their dependencies that a server would reject. */
export async function reportRefusedFields(
  held: readonly Manifest[],
  { all, subjects, ofCluster }: ExaminedInputs,
  {
    validation,
    problems,
  }: { readonly validation: Validation; readonly problems: ProblemCollector },
): Promise<void> {
  const isSubject = new Set(subjects);
  const isTaken = (manifest: Manifest): boolean => ofCluster.has(manifest);
  for (const each of held) {
    if (isSubject.has(each)) continue;
    validation.refusalOf(each, isTaken(each) ? problems.accept : problems.refuse);
  }
  const isGiven = (manifest: Manifest): boolean => !isTaken(manifest);
  await validation.examineKyverno(all.kyverno.filter(isGiven), problems.refuse);
  await validation.examineKyverno(all.kyverno.filter(isTaken), problems.accept);
}

function isPolicyKind({ group }: Manifest): boolean {
  return group === 'admissionregistration.k8s.io';
}

/** The inputs without objects that never take effect since the server would not store them. */
function without(inputs: Inputs, refused: ReadonlySet<Manifest>): Inputs {
  const isStored = (manifest: Manifest): boolean => !refused.has(manifest);
  return {
    ...inputs,
    policies: inputs.policies.filter(isStored),
    bindings: inputs.bindings.filter(isStored),
    context: inputs.context.filter(isStored),
  };
}
