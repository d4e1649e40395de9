import type { Chain } from '@kubeadmit/chain';
import {
  Explainer,
  loadCheck,
  NothingToCheckError,
  type PreparedCheck,
  prepareCheck,
} from '@kubeadmit/check';
import {
  defaultPluginsFor,
  EvaluationObserver,
  type ExplainedExpression,
  explainKyvernoExpressions,
  explainRules,
  isReadByPlugins,
  type PreparedRequest,
} from '@kubeadmit/check/unstable-internal';
import type { GivenManifest } from '@kubeadmit/lint';
import { isReview } from '@kubeadmit/lint/unstable-internal';
import { type Manifest, readManifests, Source } from '@kubeadmit/manifest';
import type { ServiceContext } from '../service/service-context.ts';
import type { Part } from '../workspace/part.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { examplesOf } from './examples-of.ts';

/** The result of an expression for an example. */
export interface Shown {
  /** The name of its policy or definition. */
  readonly policy: string;
  /** How people call the example, and its file. */
  readonly title: string;
  readonly file: string;
  /** The parameter of the evaluation, or the value that a rule validates: `spec.parts[0]`. */
  readonly params?: string | undefined;
  readonly about?: string | undefined;
  readonly expression: ExplainedExpression;
}

const results = new WeakMap<
  ServiceContext,
  { readonly revision: number; readonly byPart: Map<Part, Promise<readonly Shown[]>> }
>();

/** Evaluates the policies of a document for their examples, once per state of the files. */
export function shownIn(
  context: ServiceContext,
  document: TextDocument,
  part: Part,
): Promise<readonly Shown[]> {
  const { revision } = context.workspace;
  let known = results.get(context);
  if (known?.revision !== revision) {
    known = { revision, byPart: new Map() };
    results.set(context, known);
  }
  const found = known.byPart.get(part) ?? findShown(context, document, part);
  known.byPart.set(part, found);
  return found;
}

async function findShown(
  context: ServiceContext,
  document: TextDocument,
  part: Part,
): Promise<readonly Shown[]> {
  const found: Shown[] = [];
  for (const policy of part.read().manifests) {
    const show = showerOf(policy);
    if (show === undefined) continue;
    const examples = examplesOf(context.workspace, document, part, policy.name);
    if (examples.length > 0) found.push(...(await show(context, policy, examples)));
  }
  return found;
}

type Show = (
  context: ServiceContext,
  policy: Manifest,
  examples: readonly Manifest[],
) => Promise<readonly Shown[]>;

/** Returns the function that evaluates an object's expressions, or `undefined` if it has none. */
function showerOf({ group, kind }: Manifest): Show | undefined {
  if (group === 'admissionregistration.k8s.io' && kind.endsWith('AdmissionPolicy')) return native;
  if (/^(?:policies\.)?kyverno\.io$/.test(group) && kind.endsWith('Policy')) return kyverno;
  const isDefinition = group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
  return isDefinition ? rules : undefined;
}

const settings = {
  user: { name: 'kubernetes-admin' },
  namespace: 'default',
  ignoreUnknownKinds: true,
};

async function native(
  context: ServiceContext,
  policy: Manifest,
  examples: readonly Manifest[],
): Promise<readonly Shown[]> {
  const { inputs } = context.workspace.inputs();
  const bindings = inputs.bindings.filter(
    ({ kind, object }) =>
      kind === `${policy.kind}Binding` &&
      (object['spec'] as { policyName?: unknown } | undefined)?.policyName === policy.name,
  );
  const bound = bindings.length === 0 ? [assumedBinding(policy)] : bindings;
  const asked = await ask(context, [policy, ...bound], examples);
  if (asked === undefined) return [];
  const { check, chain, observer, kubernetesVersion } = asked;
  const { cluster } = chain;
  const policies = [policy];
  const explainer = new Explainer({ check, cluster, observer, policies, kubernetesVersion });
  return check.requests.flatMap((request) =>
    explainer.explain(request).policies.flatMap((each) =>
      each.bindings
        .flatMap(({ evaluations }) => evaluations)
        .flatMap(({ params, expressions }) =>
          expressions.map((expression) => ({
            ...headOf(policy, request),
            params,
            expression,
          })),
        ),
    ),
  );
}

async function kyverno(
  context: ServiceContext,
  policy: Manifest,
  examples: readonly Manifest[],
): Promise<readonly Shown[]> {
  const { inputs } = context.workspace.inputs();
  const exceptions = inputs.kyverno.filter(({ kind }) => kind === 'PolicyException');
  const asked = await ask(context, [policy, ...exceptions], examples);
  if (asked === undefined) return [];
  const { check, chain, observer } = asked;
  return check.requests.flatMap((request) =>
    explainKyvernoExpressions(chain, observer, request).map(({ params, expression }) => ({
      ...headOf(policy, request),
      params,
      expression,
    })),
  );
}

async function rules(
  { schemas }: ServiceContext,
  definition: Manifest,
  examples: readonly Manifest[],
): Promise<readonly Shown[]> {
  const options = { ...settings, kubernetesVersion: schemas.version };
  const found = await explainRules(definition, examples, options);
  return found.map(({ about, subject, expression }) => ({
    ...headOf(definition, about),
    ...(subject === '' ? {} : { about: subject }),
    expression,
  }));
}

/** The policy whose expressions are shown, and the example: of a review, the object of its request. */
function headOf(
  { name: policy }: Manifest,
  { manifest, request }: PreparedRequest,
): Pick<Shown, 'policy' | 'title' | 'file'> {
  const { file } = manifest;
  if (!isReview(manifest)) return { policy, title: manifest.title, file };
  const { kind, namespace = '', name = '' } = request;
  const path = namespace === '' ? name : `${namespace}/${name}`;
  return { policy, title: `${kind?.kind} ${path}`, file };
}

interface Asked {
  readonly check: PreparedCheck;
  readonly chain: Chain;
  readonly observer: EvaluationObserver;
  readonly kubernetesVersion: string;
}

/**
 * Prepares the evaluation of examples with policies and the other objects of a cluster; `undefined` if there is
 * nothing to evaluate.
 */
async function ask(
  { schemas: { version: kubernetesVersion }, workspace, clock }: ServiceContext,
  policies: readonly Manifest[],
  examples: readonly Manifest[],
): Promise<Asked | undefined> {
  const { context, leftovers, subjects } = workspace.inputs().inputs;
  const others = [...leftovers, ...subjects].filter((each) => !examples.includes(each));
  const cluster = [...context, ...others.filter(isReadByPlugins)];
  const given: GivenManifest[] = [
    ...[...new Set([...policies, ...cluster])].map((manifest) => ({
      manifest,
      role: 'policies' as const,
    })),
    ...examples.map((manifest) => ({ manifest, role: 'resources' as const })),
  ];
  const observer = new EvaluationObserver();
  const { observe } = observer;
  try {
    const check = await prepareCheck(given, { ...settings, kubernetesVersion }, () => undefined);
    const plugins = defaultPluginsFor(check.inputs);
    const { chain } = await loadCheck(check, { kubernetesVersion, clock, observe, plugins });
    return { check, chain, observer, kubernetesVersion };
  } catch (error) {
    if (error instanceof NothingToCheckError) return undefined;
    throw error;
  }
}

/** An assumed binding for a policy without one among the files, so that its effect is shown. */
function assumedBinding({ apiVersion, kind, name }: Manifest): Manifest {
  const actions = kind.startsWith('Validating') ? { validationActions: ['Deny'] } : {};
  const object = {
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { name },
    spec: { policyName: name, ...actions },
  };
  const [manifest] = readManifests(new Source('assumed.json', JSON.stringify(object))).manifests;
  return manifest as Manifest;
}
