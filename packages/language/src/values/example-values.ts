import type { ExplainedExpression } from '@kubeadmit/chain/expressions';
import type { Manifest } from '@kubeadmit/manifest';
import type { ServiceContext } from '../service/service-context.ts';
import type { Part } from '../workspace/part.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { type ExampleRequest, isOfReview } from './example-requests.ts';
import { examplesOf } from './examples-of.ts';
import { kyvernoValues, nativeValues, type PolicyValue } from './policy-values.ts';
import { ruleValues } from './rule-values.ts';

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
    const evaluate = evaluatorOf(policy);
    if (evaluate === undefined) continue;
    const examples = examplesOf(context.workspace, document, part, policy.name);
    if (examples.length === 0) continue;
    for (const { request, ...value } of await evaluate(context, policy, examples)) {
      found.push({ policy: policy.name, ...titleOf(request), ...value });
    }
  }
  return found;
}

type Evaluate = (
  context: ServiceContext,
  policy: Manifest,
  examples: readonly Manifest[],
) => Promise<readonly PolicyValue[]>;

/** Returns the function that evaluates an object's expressions, or `undefined` if it has none. */
function evaluatorOf({ group, kind }: Manifest): Evaluate | undefined {
  if (group === 'admissionregistration.k8s.io' && kind.endsWith('AdmissionPolicy')) {
    return nativeValues;
  }
  if (/^(?:policies\.)?kyverno\.io$/.test(group) && kind.endsWith('Policy')) return kyvernoValues;
  const isDefinition = group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
  return isDefinition ? ruleValues : undefined;
}

/** The example of a request: of a review, the object of its request. */
function titleOf(example: ExampleRequest): Pick<Shown, 'title' | 'file'> {
  const { file, title } = example.manifest;
  if (!isOfReview(example)) return { title, file };
  const { kind, namespace = '', name = '' } = example.request;
  const path = namespace === '' ? name : `${namespace}/${name}`;
  return { title: `${kind?.kind} ${path}`, file };
}
